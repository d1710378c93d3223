"""Where an upload comes from: a folder, a file, an archive, or an object store."""

from __future__ import annotations

import tempfile
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from mlzero.errors import UserError
from mlzero.perception.unpack import lay_out


def lay_in(data: str | Path, into: Path) -> list[str]:
    """Bring `data` into the folder `into`; returns notes on what was unpacked or left out.

    Raises
    ------
    UserError
        When it does not exist, is empty or may not be read.
    """
    if isinstance(data, str) and data.startswith("s3://"):
        with tempfile.TemporaryDirectory(prefix="mlzero-s3-") as folder:
            fetch_s3(data, Path(folder))
            return lay_out(Path(folder), into)
    path = Path(data).expanduser()
    if not str(data).strip() or not _exists(path):
        raise UserError(f'There is nothing at "{str(data)[:200]}".', "Check the path of the data folder or file.")
    return lay_out(path, into)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long, or no path at all
        return False


def fetch_s3(url: str, into: Path) -> None:
    """Download every object under an `s3://bucket/prefix`; credentials as boto3 finds them."""
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    parts = urlsplit(url)
    prefix = parts.path.strip("/")
    try:
        client = boto3.client("s3")
        pages = client.get_paginator("list_objects_v2").paginate(Bucket=parts.netloc, Prefix=prefix)
        found = [entry["Key"] for page in pages for entry in page.get("Contents", []) if not entry["Key"].endswith("/")]
        keys = [key for key in found if not prefix or key == prefix or key.startswith(f"{prefix}/")]
        if not keys:
            raise UserError(f"There are no files under {url}.", "Check the bucket and the prefix.")
        for key in keys:
            below = PurePosixPath(key).relative_to(PurePosixPath(prefix).parent if key == prefix else prefix)
            if ".." in below.parts:
                raise UserError(f"The object name {key} leaves its folder.", "Rename it and try again.")
            target = into.joinpath(*below.parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            client.download_file(parts.netloc, key, str(target))
    except (BotoCoreError, ClientError) as error:
        said = " ".join(str(error).split())[:200]
        raise UserError(f"{url} could not be read: {said}.", "Check the address and your AWS credentials.") from error
