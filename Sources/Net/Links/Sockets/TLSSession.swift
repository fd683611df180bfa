import COpenSSL
import Glibc
import PotluckCore

/// The TLS state of one connection. Used only on the loop's thread.
final class TLSSession {
    enum Side { case dialled, accepted }

    enum Handshake {
        case done
        case needsRead
        case needsWrite
        case failed(Failure)
    }

    /// Why a handshake failed, as far as OpenSSL reports it.
    enum Failure: Hashable {
        case wrongCode
        /// The peer has no key of this session, or reported that this node has none of its session.
        case noKey
        /// The peer closed the connection.
        case hungUp
        /// The peer sent something that is not a valid handshake.
        case strange
    }

    /// The result of a read or a write.
    enum Transfer {
        case octets(Int)
        case wouldBlock
        /// The peer closed the connection properly.
        case ended
        case broken
    }

    /// The buffer for bytes from the kernel: four records.
    static let readBuffer = 64 << 10
    private static let exporterLabel = "EXPORTER-potluck/1 binding"
    private static let exporterLength = 32
    /// OpenSSL reports an alert that it received as a reason: the alert's number plus 1000.
    private static let alertReasons: Int32 = 1000

    private let context: TLSContext
    let ssl: OpaquePointer

    /// Limits the messages of TLS itself that the peer may send after the handshake.
    private var postHandshake: Allowance
    private var now: Instant
    private var hasOverstepped = false

    init(_ context: TLSContext, descriptor: Int32, side: Side, at now: Instant) {
        guard let ssl = SSL_new(context.context) else { preconditionFailure("OpenSSL has no memory") }
        self.context = context
        self.ssl = ssl
        self.now = now
        postHandshake = Allowance(LinkLimits.postHandshake, at: now)
        SSL_set_fd(ssl, descriptor)
        switch side {
        case .dialled:
            SSL_set_connect_state(ssl)
            // No certificate is trusted, so a server with a certificate instead of the key fails. Only
            // the dialling side may set this. On the accepting side OpenSSL would require a session
            // context, and there is no certificate to ask for.
            SSL_set_verify(ssl, SSL_VERIFY_PEER, nil)
        case .accepted: SSL_set_accept_state(ssl)
        }
    }

    deinit { SSL_free(ssl) }

    func shake() -> Handshake {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            // No other outcome is possible with this context. This check is the last line of defence.
            let usedKey = SSL_session_reused(ssl) == 1 && SSL_version(ssl) == TLS1_3_VERSION
            if usedKey { countMessages() }
            return usedKey ? .done : .failed(.noKey)
        }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .needsRead
        case SSL_ERROR_WANT_WRITE: return .needsWrite
        case SSL_ERROR_SSL: return .failed(Self.failure(of: ERR_peek_error()))
        default: return .failed(.hungUp)
        }
    }

    /// Limits the messages of TLS itself. OpenSSL keeps reading as long as only such messages
    /// arrive, and calls back for each. If there are too many, the callback marks the connection as
    /// closed by the peer, and OpenSSL stops at the next record.
    private func countMessages() {
        potluck_openssl_set_message_owner(ssl, Unmanaged.passUnretained(self).toOpaque())
        SSL_set_msg_callback(ssl) { isSent, _, type, _, _, ssl, owner in
            guard isSent == 0, type == SSL3_RT_HANDSHAKE, let owner else { return }
            let session = Unmanaged<TLSSession>.fromOpaque(owner).takeUnretainedValue()
            if session.postHandshake.take(at: session.now) { return }
            session.hasOverstepped = true
            SSL_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN)
        }
    }

    private static func failure(of error: UInt) -> Failure {
        switch potluck_openssl_error_reason(error) {
        case SSL_R_BINDER_DOES_NOT_VERIFY, alertReasons + SSL_AD_ILLEGAL_PARAMETER, alertReasons + SSL_AD_DECRYPT_ERROR:
            .wrongCode
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_NO_SUITABLE_KEY_SHARE,
            SSL_R_UNSUPPORTED_PROTOCOL, alertReasons + SSL_AD_HANDSHAKE_FAILURE:
            .noKey
        case SSL_R_UNEXPECTED_EOF_WHILE_READING: .hungUp
        default: .strange
        }
    }

    /// Returns bytes that only the two ends of this connection know, or nil if OpenSSL fails.
    func binding() -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: Self.exporterLength)
        let label = Self.exporterLabel
        let result = SSL_export_keying_material(ssl, &octets, octets.count, label, label.utf8.count, nil, 0, 0)
        return result == 1 ? octets : nil
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at now: Instant) throws(LinkError) -> Transfer {
        ERR_clear_error()
        self.now = now
        var count = 0
        let result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
        guard !hasOverstepped else { throw LinkError(what: "too many TLS messages after the handshake") }
        return result == 1 ? .octets(count) : outcome(of: result)
    }

    /// Whether all bytes from the kernel were read.
    var isEmpty: Bool { SSL_has_pending(ssl) == 0 }

    /// Writes bytes. After `wouldBlock` the same bytes must be written again.
    func write(_ octets: UnsafeRawBufferPointer) -> Transfer {
        ERR_clear_error()
        var count = 0
        let result = SSL_write_ex(ssl, octets.baseAddress, octets.count, &count)
        return result == 1 ? .octets(count) : outcome(of: result)
    }

    private func outcome(of result: Int32) -> Transfer {
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: .wouldBlock
        case SSL_ERROR_ZERO_RETURN: .ended
        default: .broken
        }
    }

    /// Tells the peer that no more data follows. This is optional: otherwise the peer sees the connection close.
    func end() {
        ERR_clear_error()
        _ = SSL_shutdown(ssl)
    }
}
