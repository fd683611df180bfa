import CLinks
import PotluckCrypto
import PotluckModel

/// TLS as links use it: version 1.3 with the session's key and an ephemeral exchange; no certificates, no resumption.
///
/// With the key alone, who learns the code later could read what was recorded. The exchange (`psk_dhe_ke`) sees to that;
/// OpenSSL does nothing else unless asked.
final class TLSContext {
    let context: OpaquePointer
    /// Which key is meant. It goes over the wire in the clear, and beacons say it as well; a node of another session is told
    /// apart from a wrong code by it.
    private let identity: UnsafeMutableBufferPointer<UInt8>
    private let key: LinkKey

    /// Both have SHA-256, the hash that belongs to the key.
    private static let suites = "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256"
    /// The first of them by number.
    private static let suite: [UInt8] = [0x13, 0x01]
    /// OpenSSL's name for the slot of an object that belongs to whoever uses OpenSSL.
    private static let applicationData: Int32 = 0

    /// Without this OpenSSL frees its globals at exit, under the loop that still runs.
    private static let ready: Void = {
        precondition(OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1, "OpenSSL does not start")
    }()

    init(key: LinkKey, session: SessionHash) {
        Self.ready
        guard let context = SSL_CTX_new(TLS_method()) else { preconditionFailure("OpenSSL has no memory") }
        let name = Array("potluck/1 \(session)".utf8)
        identity = .allocate(capacity: name.count)
        _ = identity.initialize(from: name)
        self.key = key
        self.context = context
        precondition(
            potluck_links_settle(context) == 1 && SSL_CTX_set_ciphersuites(context, Self.suites) == 1,
            "this OpenSSL has no TLS 1.3 with X25519 and AES-128-GCM")
        SSL_CTX_set_ex_data(context, Self.applicationData, Unmanaged.passUnretained(self).toOpaque())
        SSL_CTX_set_default_read_buffer_len(context, TLSSession.readBuffer)
        SSL_CTX_set_psk_find_session_callback(context) { ssl, identity, length, session in
            session?.pointee = nil
            guard let owner = TLSContext.owner(of: ssl) else { return 0 }
            let offered = UnsafeBufferPointer(start: identity, count: length)
            // Without a session OpenSSL goes on, finds no certificate to fall back on, and fails.
            if offered.elementsEqual(owner.identity) { session?.pointee = owner.session(for: ssl) }
            return 1
        }
        SSL_CTX_set_psk_use_session_callback(context) { ssl, _, identity, length, session in
            guard let owner = TLSContext.owner(of: ssl), let made = owner.session(for: ssl) else { return 0 }
            identity?.pointee = UnsafePointer(owner.identity.baseAddress)
            length?.pointee = owner.identity.count
            session?.pointee = made
            return 1
        }
    }

    deinit {
        SSL_CTX_free(context)
        identity.deallocate()
    }

    private static func owner(of ssl: OpaquePointer?) -> TLSContext? {
        guard let ssl, let data = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), applicationData) else { return nil }
        return Unmanaged<TLSContext>.fromOpaque(data).takeUnretainedValue()
    }

    /// The key in the shape in which OpenSSL takes it; OpenSSL frees it.
    private func session(for ssl: OpaquePointer?) -> OpaquePointer? {
        guard let session = SSL_SESSION_new() else { return nil }
        let octets = key.octets.exposed
        guard let cipher = SSL_CIPHER_find(ssl, Self.suite),
            SSL_SESSION_set1_master_key(session, octets, octets.count) == 1,
            SSL_SESSION_set_cipher(session, cipher) == 1,
            SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) == 1
        else {
            SSL_SESSION_free(session)
            return nil
        }
        return session
    }
}
