import Glibc
import PotluckCore
import PotluckSystem

/// The functions in C: one sends the flood, the other receives and drops it.
struct FloodReference {
    /// The rate of the flood in datagrams a second.
    static let perSecond: Int32 = 15_000
    /// The space for each datagram in bytes, more than the longest one.
    private static let stride = 512

    private typealias Flood =
        @convention(c) (UnsafePointer<UInt8>, UnsafePointer<Int32>, Int32, Int32, UInt16, Int32, Int32) -> Int64
    private typealias Drop = @convention(c) (UInt16, Int32, UnsafeMutablePointer<Int64>) -> Int64

    private let flood: Flood
    private let drop: Drop

    init(_ path: String) {
        flood = reference("flood", in: path, as: Flood.self)
        drop = reference("drop", in: path, as: Drop.self)
    }

    /// Sends the flood. Returns the number of datagrams and the CPU time that the loop needed to drop each, in
    /// nanoseconds.
    func flood(_ datagrams: [[UInt8]], port: UInt16, for time: Duration) -> (sent: Int64, bare: Double) {
        let milliseconds = Int32(time.nanoseconds / 1_000_000)
        let bare = Guarded(Double.infinity)
        // The loop starts before the flood and ends after it.
        let dropper = SystemThread(for: "drop") { [drop] in
            var count: Int64 = 0
            let cost = drop(port, milliseconds + 300, &count)
            if count > 0 { bare.with { $0 = Double(cost) / Double(count) } }
        }
        usleep(100_000)
        let octets = datagrams.flatMap { $0 + [UInt8](repeating: 0, count: Self.stride - $0.count) }
        let sent = flood(
            octets, datagrams.map { Int32($0.count) }, Int32(Self.stride), Int32(datagrams.count), port, Self.perSecond,
            milliseconds)
        dropper.join()
        guard sent > 0 else { fail("nothing can be sent on loopback") }
        return (sent, bare.with { $0 })
    }
}
