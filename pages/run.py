from mlzero.ui import run_view

run_view.draw()
