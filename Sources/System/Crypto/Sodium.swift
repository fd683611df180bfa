import CSodium

/// Initialises libsodium once: it opens its source of randomness and selects the fastest code for this CPU.
enum Sodium {
    static let ready: Void = {
        precondition(sodium_init() >= 0, "libsodium finds no source of randomness on this system")
    }()
}
