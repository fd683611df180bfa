import PotluckCore
import PotluckNet
import PotluckSystem

extension Check {
    /// What browsers may send.
    static let pages = [requests, socketFrames, pageMessages, conversations]

    /// However TCP cuts a browser's bytes, the same requests are understood, and no more is kept than a request may have.
    static let requests = Check(name: "requests of browsers", few: 2000) { seeds in
        let site = Site([PageFile(name: "index.html", octets: [1])])
        guard let local = Endpoint(octets: [10, 0, 0, 1], port: 7077) else { return }
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            let octets = mutated(
                PageSamples.requests(&generator), &generator, odd: [0, 9, 10, 13, 32, 58, 127, 128, 255])
            let whole = PageSamples.answers(octets, site, local) { $0 }
            let cut = PageSamples.answers(octets, site, local) { Int(generator.next(below: UInt64($0))) + 1 }
            try must(whole.statuses == cut.statuses, "seed \(seed): it matters how the octets are cut")
            try must(whole.kept <= octets.count && cut.kept <= octets.count, "seed \(seed): more is kept than came")
        }
    }

    /// The same for the frames of a WebSocket.
    static let socketFrames = Check(name: "frames of browsers", few: 2000) { seeds in
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            let octets = mutated(
                PageSamples.frames(&generator), &generator, odd: [0, 0x80, 0x81, 0x88, 0xfe, 0xff, 126, 127])
            let whole = PageSamples.arrivals(octets) { $0 }
            let cut = PageSamples.arrivals(octets) { Int(generator.next(below: UInt64($0))) + 1 }
            try must(whole.list == cut.list && whole.end == cut.end, "seed \(seed): it matters how the octets are cut")
            try must(
                whole.kept <= PageLimits.message + 256 && whole.list.count <= octets.count / 6 + 1,
                "seed \(seed): more came out than went in")
        }
    }

    /// A message that is understood is within all limits, and is the same when it is sent again.
    static let pageMessages = Check(name: "messages of pages", few: 5000) { seeds in
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            let message = PageSamples.message(&generator)
            let octets = Array(message.json.text.utf8)
            try must(decoded(octets) == message, "seed \(seed): a message is not read as it was meant")
            let changed = mutated(
                octets, &generator, odd: [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a, 0x2d, 0x30, 0x65, 0, 0xff])
            if let json = JSONReader.value(changed) {
                try must(JSONReader.value(Array(json.text.utf8)) == json, "seed \(seed): a value changes")
            }
            if let understood = decoded(changed) {
                try must(
                    decoded(Array(understood.json.text.utf8)) == understood, "seed \(seed): a message changes")
            }
            _ = try? PageHello(changed)
        }
    }

    private static func decoded(_ octets: [UInt8]) -> PageMessage? { (try? PageMessage.decode(octets)) ?? nil }

    /// Only what the other side sent, in its order, is accepted.
    static let conversations = Check(name: "conversations with pages", few: 1000) { seeds in
        guard let ticket = PageTicket([UInt8](repeating: 3, count: PageTicket.length)) else { return }
        let nonce = [UInt8](repeating: 5, count: PageHello.nonceLength)
        let fresh = Conversation(ticket, page: nonce, gateway: nonce, .toGateway)
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            var (sender, receiver) = (fresh, fresh)
            let text = (0..<generator.next(below: 80)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let sealed = sender.seal(text) + text
            let changed = mutated(sealed, &generator, odd: [0, 48, 57, 97, 102, 255])
            try must(
                (receiver.open(changed) != nil) == (changed == sealed), "seed \(seed): a changed message is accepted")
        }
    }
}

/// What honest browsers send.
private enum PageSamples {
    static func requests(_ generator: inout SeededGenerator) -> [UInt8] {
        let paths = ["/", "/index.html", "/link", "/x?y", "/favicon.ico"]
        let headers = [
            "Host: 10.0.0.1:7077", "Origin: http://10.0.0.1:7077", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Accept: */*",
            "If-None-Match: \"1\"",
        ]
        var text = ""
        for _ in 0...generator.next(below: 3) {
            text += generator.next(below: 5) == 0 ? "HEAD " : "GET "
            text += paths[Int(generator.next(below: UInt64(paths.count)))] + " HTTP/1.1\r\n"
            for header in headers where generator.next(below: 4) > 0 { text += header + "\r\n" }
            text += "\r\n"
        }
        return Array(text.utf8)
    }

    static func answers(
        _ octets: [UInt8], _ site: Site, _ local: Endpoint, chunks: (Int) -> Int
    ) -> (statuses: [Response.Status], kept: Int) {
        var (buffer, statuses): ([UInt8], [Response.Status]) = ([], [])
        var rest = octets[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(chunks(rest.count))
            rest = rest.dropFirst(chunk.count)
            buffer += chunk
            do throws(Request.ReadError) {
                while let request = try Request.take(from: &buffer) {
                    statuses.append(site.answer(request, at: local).status)
                }
            } catch {
                statuses.append(Response(error).status)
                return (statuses, buffer.count)
            }
        }
        return (statuses, buffer.count)
    }

    static func frames(_ generator: inout SeededGenerator) -> [UInt8] {
        var octets: [UInt8] = []
        var isOpen = false
        for _ in 0...generator.next(below: 5) {
            let long = generator.next(below: 20) == 0
            let length = Int(generator.next(below: long ? 70_000 : 140))
            let kind = generator.next(below: 6)
            let isControl = kind == 0
            let isLast = isControl || generator.next(below: 3) > 0
            let code: UInt8 = isControl ? 9 : isOpen ? 0 : 1
            if !isControl { isOpen = !isLast }
            let body = [UInt8](repeating: 0x61, count: isControl ? min(length, 125) : length)
            octets.append(code | (isLast ? 0x80 : 0))
            switch body.count {
            case ..<126: octets.append(0x80 | UInt8(body.count))
            case ..<(1 << 16): octets += [0xfe, UInt8(body.count >> 8), UInt8(body.count & 0xff)]
            default: octets += [0xff] + (0..<8).map { UInt8(truncatingIfNeeded: body.count >> (56 - 8 * $0)) }
            }
            octets += [0, 0, 0, 0] + body
        }
        return octets
    }

    static func arrivals(
        _ octets: [UInt8], chunks: (Int) -> Int
    ) -> (list: [SocketArrival], end: SocketEnd?, kept: Int) {
        var reader = FrameReader()
        var (list, kept): ([SocketArrival], Int) = ([], 0)
        var rest = octets[...]
        while !rest.isEmpty {
            let chunk = Array(rest.prefix(chunks(rest.count)))
            rest = rest.dropFirst(chunk.count)
            do throws(SocketEnd) { try reader.read(chunk, into: &list) } catch { return (list, error, kept) }
            kept = max(kept, reader.kept)
        }
        return (list, nil, kept)
    }

    static func message(_ generator: inout SeededGenerator) -> PageMessage {
        let names = ["ana", "", "ä\u{1f469}\u{200d}\u{1f4bb}", "<b>\"\\", "a\u{0}\n"]
        let name = names[Int(generator.next(below: UInt64(names.count)))]
        let octets = (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let job = JobID(generator.next() | 1)
        switch generator.next(below: 16) {
        case 0: return .join(client: Array(octets.prefix(PageMessage.clientLength)), name: name)
        case 1: return .name(name)
        case 2: return .pong
        case 3: return .results
        case 4: return .lend(cores: Int(generator.next(below: 65)))
        case 5: return BlobHash(octets).map { .work(.fetch($0, from: Int(generator.next(below: 1 << 40)))) } ?? .pong
        case 6: return .work(.ready(job))
        case 7: return .work(.unable(job, why: name))
        case 8: return .work(.output(attempt: "1", octets: octets))
        case 9: return .work(.failed(attempt: "2", block: generator.next(), why: name))
        case 10: return .host(HostRequest.samples(name, job)[Int(generator.next(below: 12))])
        case 11:
            let device = DeviceSecret(octets.prefix(16))
            return .join(
                client: Array(octets.prefix(PageMessage.clientLength)), name: name,
                device: device?.shown(octets, isFirst: generator.next(below: 2) == 0))
        case 12: return .guess(job, Double(generator.next(below: 1000)) / 7)
        case 13: return .propose(PageScript(name: "a.py", text: name))
        case 14: return .judge(Int(generator.next(below: 40)), isOpened: generator.next(below: 2) == 0)
        default:
            let chunk = PageChunk(
                attempt: "3", end: generator.next(), busy: Double(generator.next(below: 1000)) / 7,
                tally: octets.map { UInt64($0) &* 0x0101_0101_0101_0101 },
                output: generator.next(below: 2) == 0 ? nil : Int(generator.next(below: 1 << 20)))
            return .work(.done(chunk))
        }
    }
}

extension HostRequest {
    fileprivate static func samples(_ text: String, _ job: JobID) -> [HostRequest] {
        let node = NodeID(firstOctetsOf: [UInt8](repeating: 7, count: NodeID.length))
        return [
            .start(HostStart(text, parameters: [.init(text, "1")], trials: text, until: nil, time: "1s", asks: true)),
            .start(HostStart(text, isSlow: true)),
            .command(.reveal, job), .say(text), .accept(node), .decline(node), .remove(text),
            .script(.list), .script(.new(kind: text, name: text)), .script(.open(name: text)),
            .script(.check(text, number: 7)),
            .script(.save(text, name: text, print: [UInt8](repeating: 7, count: 32))),
        ]
    }
}
