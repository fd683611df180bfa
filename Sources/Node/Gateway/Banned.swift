/// The pages that the host has removed, and the addresses from which they came.
struct Banned {
    private var addresses: [[UInt8]] = []
    private var clients: [[UInt8]] = []

    mutating func add(_ address: [UInt8], _ client: [UInt8]) {
        addresses = (addresses + [address]).suffix(GatewayLimits.banned)
        clients = (clients + [client]).suffix(GatewayLimits.banned)
    }

    func contains(_ address: [UInt8], _ client: [UInt8]) -> Bool {
        addresses.contains(address) || clients.contains(client)
    }
}
