from mlzero.ui import predict_view

predict_view.draw()
