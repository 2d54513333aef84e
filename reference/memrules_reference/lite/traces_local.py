"""Local traces in a text: what does not hold on another machine.

A trace is an absolute path of two or more segments, a home, drive or share path, a loopback address
or a port.  Names of commands, addresses of other hosts, times and ratios are none (LM-4.40).
"""

from __future__ import annotations

import re

_LOOPBACK = r"(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1\]?)"
_SCHEME = r"[a-z][a-z0-9+.-]{0,30}://"  # bounded: a long word costs no more than a short one
_ADDRESS = re.compile(_SCHEME + r"[^\s\"'<>`，。；、！？（）()【】「」]+", re.IGNORECASE)
_LOCAL_ADDRESS = re.compile(rf"file:|{_SCHEME}(?:[^/@]*@)?{_LOOPBACK}(?:[:/?#]|$)", re.IGNORECASE)
_NUMBER = r"\d{2,5}(?!\d)"

_TRACES = re.compile(
    "|".join(
        (
            r"(?<![A-Za-z0-9_.~/:\\-])/[A-Za-z0-9_.@$*+{-][^\s/\"'<>|，。；、]*/[^\s/\"'<>|，。；、]",
            r"(?<![A-Za-z0-9_~/])~/",
            r"(?<![A-Za-z0-9])[A-Za-z]:[\\/](?![\\/])",
            r"(?<!\\)\\\\[\w.-]+\\[\w.$-]",
            rf"(?<![\w.:\[-]){_LOOPBACK}(?![\w.]*\w)",
            rf"(?<![\w.:\]-]):{_NUMBER}(?!\w)",
            rf"(?<![A-Za-z])ports?\s*(?:number|is|[:=：])?\s*{_NUMBER}",
            rf"端口号?\s*(?:[:=：]|为|是)?\s*{_NUMBER}",
            rf"(?<!\d){_NUMBER}\s*号?端口",
        )
    ),
    re.IGNORECASE,
)


def has_local_trace(text: str) -> bool:
    """Return whether a text holds a local path, a loopback address or a port."""
    if any(_LOCAL_ADDRESS.match(found) for found in _ADDRESS.findall(text)):
        return True
    return _TRACES.search(_ADDRESS.sub(" ", text)) is not None  # LM-4.34 to LM-4.36
