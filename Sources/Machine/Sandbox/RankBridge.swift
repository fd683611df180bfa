import CWasmtime
import Glibc
import PotluckRanks

/// Carries the calls of one rank's module to its host. It checks every number and every address, because any module may
/// call with anything.
final class RankBridge {
    private let host: any RankHost
    /// The instance that calls; nil until it is made.
    var instance: OpaquePointer?
    /// Whether the rank's program has begun. Until then it must not call others.
    var isOpen = false
    /// Why the rank's program must end; nil as long as it may continue.
    private(set) var fault: RankError?
    /// The places for the messages of requests.
    private var places: [Int32: Place] = [:]
    let imports: UnsafeMutablePointer<potluck_wasmtime_imports>

    /// A part of the module's memory.
    private struct Place {
        let address: Int
        let count: Int
    }

    init(_ host: any RankHost) {
        self.host = host
        imports = .allocate(capacity: 1)
        imports.initialize(
            to: potluck_wasmtime_imports(
                space: RankImport.spaceName, functions: RankImport.table, count: RankImport.allCases.count,
                handle: { context, function, arguments, result in
                    guard let context, let arguments, let result, let function = RankImport(rawValue: function) else {
                        return false
                    }
                    let bridge = Unmanaged<RankBridge>.fromOpaque(context).takeUnretainedValue()
                    return bridge.handle(RankCall(function, arguments), result)
                }, context: nil))
        imports.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { imports.deallocate() }

    /// The functions that a module may import, for a look at its imports.
    static var allowed: potluck_wasmtime_imports {
        potluck_wasmtime_imports(
            space: RankImport.spaceName, functions: RankImport.table, count: RankImport.allCases.count, handle: nil,
            context: nil)
    }

    /// Returns whether the module may continue.
    private func handle(_ call: RankCall, _ result: UnsafeMutablePointer<UInt64>) -> Bool {
        guard fault == nil else { return false }
        do throws(RankError) {
            guard isOpen else { throw .early(rank: host.rank, call: call.name) }
            result.pointee = try answer(call)
            return true
        } catch {
            fault = error
            return false
        }
    }

    private func answer(_ call: RankCall) throws(RankError) -> UInt64 {
        switch call.function {
        case .rank: return UInt64(host.rank)
        case .size: return UInt64(host.size)
        case .time: return host.seconds.bitPattern
        case .log, .error:
            try host.log(copy(call, at: 0, most: RankLimits.line), isError: call.function == .error)
        case .abort:
            try host.abort(call[0])
        case .send:
            let (message, receiver, mode) = try message(call)
            try host.send(message, to: receiver, mode)
        case .isend:
            let (message, receiver, mode) = try message(call)
            return number(try host.beginSending(message, to: receiver, mode))
        case .receive:
            let place = try place(call, at: 3)
            let status = try statusPlace(call, at: 5)
            let message = try host.receive(pattern(call), capacity: place.count)
            try put(message.octets, at: place, call)
            try put(message.status, at: status, call)
        case .ireceive:
            let place = try place(call, at: 3)
            let request = try host.beginReceiving(pattern(call), capacity: place.count)
            places[request] = place
            return number(request)
        case .probe:
            let status = try statusPlace(call, at: 4)
            guard let found = try host.probe(pattern(call), waits: call[3] != 0) else { return 0 }
            try put(found, at: status, call)
            return 1
        case .wait: return try wait(call)
        case .test:
            let status = try statusPlace(call, at: 1)
            let request = Int32(truncatingIfNeeded: call[0])
            guard let completion = try host.test(request) else { return 0 }
            try finish(request, completion, status, call)
            return 1
        case .checkpoint:
            try host.checkpoint(copy(call, at: 0, most: RankLimits.checkpoint))
        case .restore:
            let place = try place(call, at: 0)
            guard let state = try host.restored() else { return number(-1) }
            try put(Array(state.prefix(place.count)), at: place, call)
            return UInt64(state.count)
        }
        return 0
    }

    private func wait(_ call: RankCall) throws(RankError) -> UInt64 {
        let count = call[1]
        guard (0...RankLimits.requests).contains(count) else {
            throw .argument(rank: host.rank, call: call.name, .count, count)
        }
        let status = try statusPlace(call, at: 2)
        let octets = try copy(call, at: 0, count: count * MemoryLayout<Int32>.stride)
        let requests = octets.withUnsafeBytes { octets in
            (0..<count).map { octets.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
        }
        let open = requests.indices.filter { requests[$0] != 0 }
        guard !open.isEmpty else { return number(-1) }
        let (place, completion) = try host.wait(open.map { requests[$0] })
        try finish(requests[open[place]], completion, status, call)
        return UInt64(open[place])
    }

    /// Copies the message of a request to its place.
    private func finish(
        _ request: Int32, _ completion: RankWorld.Completion, _ status: Place?, _ call: RankCall
    ) throws(RankError) {
        switch completion {
        case .sent(let octets): try put(RankStatus(source: -1, tag: -1, octets: octets), at: status, call)
        case .received(let message):
            guard let place = places.removeValue(forKey: request) else {
                throw .argument(rank: host.rank, call: call.name, .request, Int(request))
            }
            try put(message.octets, at: place, call)
            try put(message.status, at: status, call)
        }
    }

    // MARK: arguments

    private func number(_ number: Int32) -> UInt64 { UInt64(UInt32(bitPattern: number)) }

    /// The message of a send: to, tag, context, address, bytes, mode.
    private func message(_ call: RankCall) throws(RankError) -> (RankMessage, receiver: Int, RankSendMode) {
        guard (0..<host.size).contains(call[0]) else { throw wrong(call, .rank, 0) }
        guard call[1] >= 0 else { throw wrong(call, .tag, 1) }
        guard call[2] >= 0 else { throw wrong(call, .context, 2) }
        guard let mode = RankSendMode(rawValue: Int32(truncatingIfNeeded: call[5])) else { throw wrong(call, .mode, 5) }
        let octets = try copy(call, at: 3, most: RankLimits.message)
        return (RankMessage(source: host.rank, tag: call[1], context: call[2], octets: octets), call[0], mode)
    }

    /// The pattern of a receive: from, tag, context.
    private func pattern(_ call: RankCall) throws(RankError) -> RankPattern {
        guard (-1..<host.size).contains(call[0]) else { throw wrong(call, .rank, 0) }
        guard call[1] >= -1 else { throw wrong(call, .tag, 1) }
        guard call[2] >= 0 else { throw wrong(call, .context, 2) }
        return RankPattern(
            source: call[0] < 0 ? nil : call[0], tag: call[1] < 0 ? nil : call[1], context: call[2])
    }

    private func wrong(_ call: RankCall, _ argument: RankError.Argument, _ index: Int) -> RankError {
        .argument(rank: host.rank, call: call.name, argument, call[index])
    }

    // MARK: memory

    private func memory(_ call: RankCall) throws(RankError) -> UnsafeMutableRawBufferPointer {
        var count = 0
        guard let instance, let memory = potluck_wasmtime_memory(instance, &count) else {
            throw .address(rank: host.rank, call: call.name)
        }
        return UnsafeMutableRawBufferPointer(start: memory, count: count)
    }

    /// The part of the memory that two arguments name, its address and its length.
    private func place(_ call: RankCall, at index: Int) throws(RankError) -> Place {
        try place(call, call.address(index), count: call.address(index + 1))
    }

    private func place(_ call: RankCall, _ address: Int, count: Int) throws(RankError) -> Place {
        let memory = try memory(call)
        guard address <= memory.count, count <= memory.count - address else {
            throw .address(rank: host.rank, call: call.name)
        }
        return Place(address: address, count: count)
    }

    /// Where the status goes; nil if the module does not want it.
    private func statusPlace(_ call: RankCall, at index: Int) throws(RankError) -> Place? {
        call[index] == 0 ? nil : try place(call, call.address(index), count: Self.statusSize)
    }

    /// Bytes of a status: source, tag and length, of four bytes each.
    private static let statusSize = 12

    /// The bytes that two arguments name, their address and their number.
    private func copy(_ call: RankCall, at index: Int, most: Int) throws(RankError) -> [UInt8] {
        let count = call.address(index + 1)
        guard count <= most else { throw .tooLong(rank: host.rank, call: call.name, octets: count, most: most) }
        return try copy(call, at: index, count: count)
    }

    private func copy(_ call: RankCall, at index: Int, count: Int) throws(RankError) -> [UInt8] {
        let place = try place(call, call.address(index), count: count)
        return Array(UnsafeRawBufferPointer(try memory(call))[place.address..<(place.address + place.count)])
    }

    private func put(_ octets: [UInt8], at place: Place, _ call: RankCall) throws(RankError) {
        let memory = try memory(call)
        precondition(octets.count <= place.count && place.address + place.count <= memory.count)
        octets.withUnsafeBytes { octets in
            if let start = octets.baseAddress, let to = memory.baseAddress {
                memcpy(to + place.address, start, octets.count)
            }
        }
    }

    private func put(_ status: RankStatus, at place: Place?, _ call: RankCall) throws(RankError) {
        guard let place else { return }
        let numbers = [status.source, status.tag, status.octets].map { Int32(truncatingIfNeeded: $0).littleEndian }
        try put(numbers.withUnsafeBytes { Array($0) }, at: place, call)
    }
}

/// A call of an imported function, with its arguments.
struct RankCall {
    let function: RankImport
    private let arguments: UnsafePointer<Int64>

    init(_ function: RankImport, _ arguments: UnsafePointer<Int64>) {
        (self.function, self.arguments) = (function, arguments)
    }

    var name: String { function.name }

    /// An argument as a signed number.
    subscript(_ index: Int) -> Int { Int(arguments[index]) }

    /// An argument as an address or a length, which have no sign.
    func address(_ index: Int) -> Int { Int(UInt32(truncatingIfNeeded: arguments[index])) }
}
