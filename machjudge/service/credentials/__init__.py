"""What opens a seat: tokens, the judge's secret, and the table of what a proof allows."""
