from mlzero.ui import settings_view

settings_view.draw()
