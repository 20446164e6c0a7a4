"""Press, postal press and diaries."""
