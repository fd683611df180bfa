import COpenSSL
import Foundation
import PotluckCore
import PotluckNet
import Testing

/// A blocking connection that is not Potluck's own.
final class RawSocket: Sendable {
    let descriptor: Int32

    init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        // A test that fails is more useful than one that waits forever.
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// - Parameter buffer: the bytes that may wait here to be received; nil for the system's choice, which differs from
    ///   machine to machine.
    convenience init(to port: UInt16, buffer: Int32? = nil) {
        self.init(adopting: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        if var buffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
        }
        connect(to: port)
    }

    /// Connects from another loopback address.
    convenience init(from address: [UInt8], to port: UInt16) {
        self.init(adopting: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        let isBound = Self.with(0, address) { bind(descriptor, $0, $1) } == 0
        #expect(isBound)
        connect(to: port)
    }

    func connect(to port: UInt16) {
        let result = Self.with(port) { Glibc.connect(descriptor, $0, $1) }
        #expect(result == 0)
    }

    deinit { Glibc.close(descriptor) }

    /// Returns the two ends of one non-blocking connection.
    static func pair() throws -> (RawSocket, RawSocket) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0 else {
            throw POSIXError(.EMFILE)
        }
        return (RawSocket(adopting: ends[0]), RawSocket(adopting: ends[1]))
    }

    /// Returns a socket that listens on loopback, and its port.
    static func listening() -> (RawSocket, UInt16) {
        let socket = RawSocket(adopting: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = with(0) { bind(socket.descriptor, $0, $1) } == 0 && listen(socket.descriptor, 16) == 0
        let isNamed = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &length) }
        }
        #expect(isBound && isNamed == 0)
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    func accept() -> RawSocket { RawSocket(adopting: Glibc.accept(descriptor, nil, nil)) }

    @discardableResult func send(_ octets: [UInt8]) -> Bool {
        Glibc.send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL)) == octets.count
    }

    /// Returns the next bytes received; nil at the end.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    func receiveAll() -> [UInt8] {
        var all: [UInt8] = []
        while let some = receive() { all += some }
        return all
    }

    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func with<Result>(
        _ port: UInt16, _ octets: [UInt8] = [127, 0, 0, 1], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = octets.reduce(0) { $0 << 8 | UInt32($1) }.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// A TLS connection without the session's key.
final class OtherTLS {
    enum Kind: CaseIterable { case client12, client13, server13 }

    private let context: OpaquePointer
    private let ssl: OpaquePointer

    init(_ kind: Kind, on socket: RawSocket) {
        guard let context = SSL_CTX_new(TLS_method()), let ssl = { Self.configure(context, kind) }() else {
            preconditionFailure("OpenSSL has no memory")
        }
        self.context = context
        self.ssl = ssl
        SSL_set_fd(ssl, socket.descriptor)
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    private static func configure(_ context: OpaquePointer, _ kind: Kind) -> OpaquePointer? {
        switch kind {
        case .client12: SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        case .client13: SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_3_VERSION), nil)
        case .server13: certify(context)
        }
        return SSL_new(context)
    }

    /// Installs a self-signed certificate.
    private static func certify(_ context: OpaquePointer) {
        var key: OpaquePointer?
        let maker = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil)
        EVP_PKEY_keygen_init(maker)
        EVP_PKEY_keygen(maker, &key)
        EVP_PKEY_CTX_free(maker)
        let certificate = X509_new()
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), 0)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 3600)
        X509_set_pubkey(certificate, key)
        X509_sign(certificate, key, nil)
        #expect(SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1)
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    /// Returns whether a handshake succeeds and one more byte arrives.
    func connects() -> Bool {
        var octet: UInt8 = 0
        return SSL_connect(ssl) == 1 && SSL_read(ssl, &octet, 1) == 1
    }

    func accepts() -> Bool { SSL_accept(ssl) == 1 }
}

/// A relay between two nodes that records all bytes.
final class Wiretap: @unchecked Sendable {
    let port: UInt16
    private let door: RawSocket
    private let lock = NSLock()
    private var sent: [UInt8] = []
    private var answered: [UInt8] = []
    private var lines: [RawSocket] = []
    private var isCut = false

    init(to target: UInt16) {
        (door, port) = RawSocket.listening()
        Thread.detachNewThread { [self] in
            let guest = door.accept()
            let host = RawSocket(to: target)
            lock.withLock { lines = [guest, host] }
            Thread.detachNewThread { [self] in pass(guest, host) { self.sent += $0 } }
            pass(host, guest) { self.answered += $0 }
        }
    }

    private func pass(_ from: RawSocket, _ to: RawSocket, _ note: ([UInt8]) -> Void) {
        while let some = from.receive() {
            let isCut = lock.withLock {
                note(some)
                return self.isCut
            }
            if !isCut { to.send(some) }
        }
        // If no data passes, the end must not pass either.
        if !lock.withLock({ isCut }) { to.end() }
    }

    var fromGuest: [UInt8] { lock.withLock { sent } }
    var everything: [UInt8] { lock.withLock { sent + answered } }

    /// From now on bytes are received but not forwarded, as if a cable was pulled.
    func cut() { lock.withLock { isCut = true } }
    func close() { lock.withLock { for line in lines { line.end() } } }
}

/// Dials a port of this machine with a wrong code until that node turns the address away, which is after ten wrong codes.
func guessUntilTurnedAway(_ port: UInt16) async throws {
    let guesser = Member(.wrong)
    var failures: [DialFailure] = []
    // On a slow machine some attempts are allowed again while the first ten are made.
    while failures.last != .turnedAway, failures.count < 200 {
        guesser.transport.dial(DialNumber(UInt64(failures.count + 1)), to: [.local(port)])
        failures.append(try await guesser.dialFailed())
    }
    #expect(failures.count > 10 && failures.dropLast().allSatisfy { $0 == .wrongCode })
    #expect(failures.last == .turnedAway)
    try await guesser.stop()
}
