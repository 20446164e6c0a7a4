"""Position, orders, rules, dice and events to JSON and back: the format of `machjudge adjudicate`.

No other package knows the format.  Reading and writing orders as text is the language's affair,
finding a scenario the atlas's: both come in as arguments.
"""
