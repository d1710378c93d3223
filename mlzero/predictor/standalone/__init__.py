"""What predicts away from home: it goes into every predictor as it stands, so it needs nothing of MLZero.

`predict.py` comes to lie at the top of the predictor, the other modules in a folder `standalone` beside it.
"""
