"""The addresses of the settings, as the mail room knows them."""

from machjudge.mail.listener import Door, TcpDoor, UnixDoor
from machjudge.settings import ListenAddress, Protocol, TcpAddress, UnixAddress


def door_at(address: ListenAddress) -> Door:
    """The door at an address of the settings."""
    lmtp = address.protocol is Protocol.LMTP
    match address:
        case TcpAddress(_, host, port):
            return TcpDoor(host, port, lmtp)
        case UnixAddress(_, path):
            return UnixDoor(path, lmtp)
