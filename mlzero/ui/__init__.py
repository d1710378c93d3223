"""Everything web: the shell and its pages, uploads, downloads, who may see what."""
