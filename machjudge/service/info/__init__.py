"""Questions and their answers: listings, reports, texts."""
