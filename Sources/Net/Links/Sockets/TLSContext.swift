import COpenSSL
import PotluckCore
import PotluckSystem

/// TLS for links: version 1.3 with the session's key and an ephemeral key exchange,
/// without certificates and resumption.
///
/// With the key alone, an attacker who learns the code later could decrypt recorded traffic. The key exchange
/// (`psk_dhe_ke`) prevents this, and OpenSSL uses nothing else by default.
final class TLSContext {
    let context: OpaquePointer
    /// Identifies the key. It is sent in the clear, and beacons contain the session hash too. It distinguishes a
    /// node of another session from a node with a wrong code.
    private let identity: UnsafeMutableBufferPointer<UInt8>
    private let key: LinkKey

    /// Both suites use SHA-256, the hash of the key.
    private static let suites = "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256"
    /// The number of the first suite.
    private static let suite: [UInt8] = [0x13, 0x01]
    /// The index of the slot that OpenSSL reserves for the application.
    private static let applicationData: Int32 = 0

    /// Prevents OpenSSL from freeing its globals at exit while the loop's thread still uses them.
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
            potluck_openssl_restrict(context) == 1 && SSL_CTX_set_ciphersuites(context, Self.suites) == 1,
            "this OpenSSL has no TLS 1.3 with X25519 and AES-128-GCM")
        SSL_CTX_set_ex_data(context, Self.applicationData, Unmanaged.passUnretained(self).toOpaque())
        SSL_CTX_set_default_read_buffer_len(context, TLSSession.readBuffer)
        SSL_CTX_set_psk_find_session_callback(context) { ssl, identity, length, session in
            session?.pointee = nil
            guard let owner = TLSContext.owner(of: ssl) else { return 0 }
            let offered = UnsafeBufferPointer(start: identity, count: length)
            // Without a session OpenSSL continues, finds no certificate, and fails.
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

    /// Returns the key as a session that OpenSSL accepts and frees.
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
