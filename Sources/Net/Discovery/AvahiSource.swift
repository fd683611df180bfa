import CAvahi
import PotluckCore
import PotluckSystem

/// Sightings by mDNS, from this machine's avahi-daemon. The daemon may start, stop, hang and restart at any time.
/// Whenever it runs, this node's announcement is published.
final class AvahiSource: SightingSource {
    private enum State {
        case idle(Announcement?)
        case running(Shim)
        case stopped
    }

    /// The C part, which locks and frees itself. It is freed some time after it was stopped, and until then it has an
    /// unretained pointer to the receiver.
    private struct Shim: @unchecked Sendable {
        let pointer: OpaquePointer
        let receiver: AvahiReceiver
    }

    private let scope: Scope
    private let interface: String?
    private let state = Guarded(State.idle(nil))

    /// `interface` is the only one to use; nil for all.
    init(scope: Scope, interface: String? = nil) {
        self.scope = scope
        self.interface = interface
    }

    deinit { stop() }

    public func start(_ report: @escaping @Sendable (Observation) -> Void) {
        let receiver = AvahiReceiver(report)
        let failed = state.with { state in
            guard case .idle(let announcement) = state else { return false }
            let started = cavahi_start(
                interface,
                { context, event in
                    guard let context, let event else { return }
                    Unmanaged<AvahiReceiver>.fromOpaque(context).takeUnretainedValue().receive(event.pointee)
                }, Unmanaged.passUnretained(receiver).toOpaque())
            guard let started else { return true }
            state = .running(Shim(pointer: started, receiver: receiver))
            cavahi_browse(started, type)
            if let announcement { Self.publish(announcement, by: started) }
            return false
        }
        if failed { report(.status(.absent(reason: "no thread or memory for mDNS"))) }
    }

    func announce(_ announcement: Announcement?) {
        state.with { state in
            switch state {
            case .idle: state = .idle(announcement)
            case .running(let shim):
                if let announcement {
                    Self.publish(announcement, by: shim.pointer)
                } else {
                    cavahi_withdraw(shim.pointer)
                }
            case .stopped: break
            }
        }
    }

    /// Returns at once. A thread that waits for a hung daemon ends by itself.
    func stop() {
        let shim: Shim? = state.with { state in
            defer { state = .stopped }
            guard case .running(let shim) = state else { return nil }
            return shim
        }
        // Outside of the lock, because it waits for a report in progress, which may be about to call `announce`.
        if let shim { withExtendedLifetime(shim.receiver) { cavahi_stop(shim.pointer) } }
    }

    private var type: String {
        switch scope {
        case .session(let hash): TXTRecord.subtype(of: hash)
        case .everything: TXTRecord.serviceType
        }
    }

    /// No daemon refuses these arguments: names of at most 63 bytes and a record of at most 400.
    private static func publish(_ announcement: Announcement, by shim: OpaquePointer) {
        let record = TXTRecord.encode(announcement)
        let failure = cavahi_publish(
            shim, TXTRecord.instanceName(of: announcement), TXTRecord.serviceType,
            TXTRecord.subtype(of: announcement.sessionHash), announcement.port, record, record.count)
        assert(failure == 0, String(cString: cavahi_error(failure)))
    }
}

/// Turns events of the C part into observations, on its thread.
private final class AvahiReceiver: @unchecked Sendable {
    private struct Place: Hashable {
        let name: String
        let interface: UInt32
        let isIPv6: Bool
    }

    private let report: @Sendable (Observation) -> Void
    // Used only on that thread. At most as long as the C part's list of entries, which is limited to 1000.
    private var present: [Place: Sighting] = [:]
    private var status: SourceStatus?

    init(_ report: @escaping @Sendable (Observation) -> Void) { self.report = report }

    func receive(_ event: cavahi_event) {
        switch event.kind {
        case CAVAHI_FOUND: found(event)
        case CAVAHI_LOST: lost(event)
        case CAVAHI_RUNNING, CAVAHI_PUBLISHED: change(to: .working)
        case CAVAHI_STARTING: change(to: .absent(reason: "avahi-daemon is still registering the name of this machine"))
        case CAVAHI_ABSENT: change(to: .absent(reason: text(event.message)))
        case CAVAHI_TROUBLE: change(to: .absent(reason: "avahi-daemon reports an error: \(text(event.message))"))
        default: break
        }
    }

    private func found(_ event: cavahi_event) {
        let place = place(of: event)
        let before = present.removeValue(forKey: place)
        if let sighting = sighting(from: event) {
            present[place] = sighting
            report(.present(sighting))
        }
        if let before { withdraw(before) }
    }

    private func lost(_ event: cavahi_event) {
        if let before = present.removeValue(forKey: place(of: event)) { withdraw(before) }
    }

    /// Reports a withdrawal, unless the node is still listed by another name: a renamed node has two for a moment.
    private func withdraw(_ sighting: Sighting) {
        let stays = present.values.contains {
            $0.announcement.node == sighting.announcement.node && $0.endpoint == sighting.endpoint
                && $0.interface == sighting.interface
        }
        if !stays { report(.withdrawn(sighting)) }
    }

    private func change(to new: SourceStatus) {
        guard status != new else { return }
        status = new
        report(.status(new))
    }

    /// Returns nil for a service that is not ours.
    private func sighting(from event: cavahi_event) -> Sighting? {
        let octets = withUnsafeBytes(of: event.address) { Array($0.prefix(event.v6 ? 16 : 4)) }
        let linkLocal = event.v6 && octets[0] == 0xfe && octets[1] & 0xc0 == 0x80
        let record = UnsafeBufferPointer(start: event.txt, count: event.txt_length)
        guard let announcement = TXTRecord.decode(record, port: event.port),
            let endpoint = Endpoint(octets: octets, scope: linkLocal ? event.interface : 0, port: event.port)
        else { return nil }
        return Sighting(
            announcement: announcement, source: .mdns, trust: .unverified, interface: event.interface,
            sameMachine: event.local, host: event.host.map { String(cString: $0) }, endpoint: endpoint)
    }

    private func place(of event: cavahi_event) -> Place {
        Place(name: text(event.name), interface: event.interface, isIPv6: event.v6)
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
}
