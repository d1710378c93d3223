"""MLZero in the browser: `streamlit run app.py` or `python app.py`.

The file is read twice: once by the server, which takes the routes and middleware from `app`, and
once for every page view, as the page script.
"""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

if get_script_run_ctx(suppress_warning=True) is None:
    from mlzero.ui.routes import lifespan, middleware, routes

    app = st.App(__file__, routes=routes(), middleware=middleware(), lifespan=lifespan)
    if __name__ == "__main__":
        app.run()
else:
    from mlzero.ui.shell import main

    main()
