"""What a browser says of where a form comes from."""

SAME = {"sec-fetch-site": "same-origin"}
OTHER_SITES = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "https://evil.test"},
    {"origin": "null"},
]
