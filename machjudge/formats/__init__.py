"""Convert position, orders, rules, dice and events to JSON and back, for `machjudge adjudicate`.

Orders in words and scenarios come in as arguments.
"""
