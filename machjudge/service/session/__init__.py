"""One mail being answered: who speaks, what has changed so far, what the answer will say."""
