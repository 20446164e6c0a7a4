"""The grammar, the words of a board, and what reading a line can bring."""
