"""No test sees the keys of the machine, or leaves its own behind."""

from __future__ import annotations

import datetime
import ipaddress

import pytest

from mlzero.llm import connection as connections


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in (*connections.SECRET_VARIABLES, *connections.ADDRESSES.values(), "AWS_PROFILE", "MLZERO_LLM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setattr("mlzero.llm.model.BACK_OFF", (0.05, 0.1))
    yield
    connections._TYPED_IN.clear()


@pytest.fixture
def certificate(tmp_path, monkeypatch):
    """A certificate of this machine with its key, in one file, that boto3 trusts."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder(
        issuer_name=name, subject_name=name, public_key=key.public_key(), serial_number=1,
        not_valid_before=now - datetime.timedelta(days=1), not_valid_after=now + datetime.timedelta(days=1),
    ).add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)  # fmt: skip
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = tmp_path / "certificate.pem"
    path.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM) + private)
    monkeypatch.setenv("AWS_CA_BUNDLE", str(path))
    return path
