from mlzero.ui import history_view

history_view.draw()
