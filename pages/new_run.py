from mlzero.ui import new_run

new_run.draw()
