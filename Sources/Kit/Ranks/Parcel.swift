/// The parts of several ranks: a size for each part, and their bytes one after the other.
struct Parcel {
    /// The sizes of the parts in bytes.
    private(set) var sizes: [Int]
    private(set) var bytes: [UInt8]

    init() { (sizes, bytes) = ([], []) }

    /// A parcel of one part.
    init<Value: BitwiseCopyable>(_ part: [Value]) {
        bytes = part.withUnsafeBytes { PotluckKit.values($0) }
        sizes = [bytes.count]
    }

    /// A parcel of equal parts.
    init<Value: BitwiseCopyable>(_ values: [Value], parts: Int) {
        bytes = values.withUnsafeBytes { PotluckKit.values($0) }
        sizes = [Int](repeating: bytes.count / parts, count: parts)
    }

    /// A parcel with a part for each array.
    init<Value: BitwiseCopyable>(parts: [[Value]]) {
        let sizes = parts.map { $0.count * MemoryLayout<Value>.stride }
        bytes = array(UInt8.self, count: sizes.reduce(0, +)) { place in
            var start = 0
            for (part, size) in zip(parts, sizes) {
                part.withUnsafeBytes { part in
                    UnsafeMutableRawBufferPointer(rebasing: place[start..<start + size]).copyMemory(from: part)
                }
                start += size
            }
        }
        self.sizes = sizes
    }

    /// Adds parts whose bytes `body` writes.
    mutating func append(sizes more: [Int], _ body: (UnsafeMutableRawBufferPointer) -> Void) {
        let old = bytes
        bytes = array(UInt8.self, count: old.count + more.reduce(0, +)) { place in
            old.withUnsafeBytes { place.copyMemory(from: $0) }
            body(UnsafeMutableRawBufferPointer(rebasing: place[old.count...]))
        }
        sizes.append(contentsOf: more)
    }

    /// Returns the places of some parts in the bytes.
    func place(_ range: Range<Int>) -> Range<Int> {
        let start = sizes[..<range.lowerBound].reduce(0, +)
        return start..<sizes[range].reduce(start, +)
    }

    /// Returns the values of some parts in one array.
    func values<Value: BitwiseCopyable>(_ range: Range<Int>) -> [Value] {
        bytes.withUnsafeBytes { PotluckKit.values(UnsafeRawBufferPointer(rebasing: $0[place(range)])) }
    }

    /// Returns the values of all parts in one array, with the part at `first` in front and those before it at the end.
    func values<Value: BitwiseCopyable>(from first: Int) -> [Value] {
        let start = place(0..<first).count
        return bytes.withUnsafeBytes { bytes in
            array(Value.self, count: bytes.count / MemoryLayout<Value>.stride) { place in
                let (front, back) = (bytes[start...], bytes[..<start])
                place.copyMemory(from: UnsafeRawBufferPointer(rebasing: front))
                UnsafeMutableRawBufferPointer(rebasing: place[front.count...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: back))
            }
        }
    }

    /// Returns the values of each part, those of the part at `first` in front.
    func split<Value: BitwiseCopyable>(from first: Int = 0) -> [[Value]] {
        var start = 0
        let parts: [[Value]] = sizes.indices.map { index in
            defer { start += sizes[index] }
            return bytes.withUnsafeBytes {
                PotluckKit.values(UnsafeRawBufferPointer(rebasing: $0[start..<start + sizes[index]]))
            }
        }
        return Array(parts[first...] + parts[..<first])
    }

    /// Returns the parts with the one at `first` in front, and those before it at the end.
    func rotated(to first: Int) -> Parcel {
        guard first > 0 else { return self }
        var result = Parcel()
        result.bytes = values(from: first)
        result.sizes = Array(sizes[first...] + sizes[..<first])
        return result
    }
}

/// A parcel goes as a message with the sizes. Few bytes are in the same message, and many follow in their own, so that
/// nobody copies them.
extension Communicator {
    /// The most bytes that go with the sizes. A copy of them costs less than a message.
    private static var together: Int { 4096 }

    /// Begins to send some parts. `finish` must follow for each request.
    func begin(_ parcel: Parcel, _ range: Range<Int>, to rank: Int, _ call: CollectiveCall) -> [Int32] {
        let sizes = parcel.sizes[range].map { Int32($0) }
        return parcel.bytes.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[parcel.place(range)])
            return sizes.withUnsafeBytes { sizes in
                if bytes.count > Self.together { return [begin(sizes, to: rank, call), begin(bytes, to: rank, call)] }
                return withUnsafeTemporaryAllocation(byteCount: sizes.count + bytes.count, alignment: 4) { message in
                    message.copyMemory(from: sizes)
                    UnsafeMutableRawBufferPointer(rebasing: message[sizes.count...]).copyMemory(from: bytes)
                    return [begin(UnsafeRawBufferPointer(message), to: rank, call)]
                }
            }
        }
    }

    /// Sends some parts.
    func pass(_ parcel: Parcel, _ range: Range<Int>, to rank: Int, _ call: CollectiveCall) {
        for request in begin(parcel, range, to: rank, call) { finish(request) }
    }

    /// Receives `count` parts, and adds them to a parcel.
    func take(_ count: Int, into parcel: inout Parcel, from rank: Int, _ call: CollectiveCall) {
        let message = takeValues(UInt8.self, from: rank, call)
        let header = count * MemoryLayout<Int32>.stride
        guard message.count >= header else {
            world.fail(call.name, "this rank expects ", count, " parts and was sent ", message.count, " bytes")
        }
        message.withUnsafeBytes { message in
            let sizes = (0..<count).map {
                Int(message.load(fromByteOffset: $0 * MemoryLayout<Int32>.stride, as: Int32.self))
            }
            parcel.append(sizes: sizes) { place in
                if place.count > Self.together { return take(place, from: rank, call) }
                place.copyMemory(from: UnsafeRawBufferPointer(rebasing: message[header...]))
            }
        }
    }
}
