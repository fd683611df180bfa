import CAvahi
import PotluckModel
import PotluckSystem

/// Sightings by mDNS, through the machine's avahi-daemon. It may start at any time, vanish, hang and come back: what
/// this node says about itself is published whenever one is there.
public final class AvahiSource: SightingSource {
    private enum State {
        case idle(Announcement?)
        case running(Shim)
        case stopped
    }

    /// The C side locks for itself, and frees itself some time after it was stopped. Until then it refers to the
    /// receiver without holding it.
    private struct Shim: @unchecked Sendable {
        let pointer: OpaquePointer
        let receiver: AvahiReceiver
    }

    private let scope: Scope
    private let interface: String?
    private let state = Guarded(State.idle(nil))

    /// `interface` is the only one to use; nil for all.
    public init(scope: Scope, interface: String? = nil) {
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

    public func announce(_ announcement: Announcement?) {
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

    /// Returns at once: a thread that a hung daemon holds up ends on its own.
    public func stop() {
        let shim: Shim? = state.with { state in
            defer { state = .stopped }
            guard case .running(let shim) = state else { return nil }
            return shim
        }
        // Not under the lock: it waits for a report under way, which may be about to announce something.
        if let shim { withExtendedLifetime(shim.receiver) { cavahi_stop(shim.pointer) } }
    }

    private var type: String {
        switch scope {
        case .session(let hash): TXTRecord.subtype(of: hash)
        case .everything: TXTRecord.serviceType
        }
    }

    /// The arguments are of our own making: names within 63 octets and a record within 400, which no daemon refuses.
    private static func publish(_ announcement: Announcement, by shim: OpaquePointer) {
        let record = TXTRecord.encode(announcement)
        let failure = cavahi_publish(
            shim, TXTRecord.instanceName(of: announcement), TXTRecord.serviceType,
            TXTRecord.subtype(of: announcement.sessionHash), announcement.port, record, record.count)
        assert(failure == 0, String(cString: cavahi_error(failure)))
    }
}

/// Turns the C side's events into observations, on the C side's thread.
private final class AvahiReceiver: @unchecked Sendable {
    private struct Place: Hashable {
        let name: String
        let interface: UInt32
        let isIPv6: Bool
    }

    private let report: @Sendable (Observation) -> Void
    // Touched on that one thread only. As large as the C side's list of entries at most, which ends at 1000.
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

    /// Unless the node is there still, by another name: one that is renamed has two for a moment.
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

    /// Nil for a service that is none of ours.
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
