import PotluckCore
import PotluckSystem

/// A file of the page.
public struct PageFile: Sendable, Equatable {
    public let name: String
    let octets: [UInt8]

    public init(name: String, octets: [UInt8]) { (self.name, self.octets) = (name, octets) }

    /// Nil for a kind that the page has no use for.
    var type: String? {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: nil
        }
    }
}

/// Answers the requests of browsers: with the page's files, or with the beginning of a WebSocket.
public struct Site: Sendable {
    /// The path of the WebSocket.
    static let socket = "/link"

    private struct File: Sendable {
        let type: String
        let tag: String
        let octets: [UInt8]
    }

    private let files: [String: File]

    public init(_ files: [PageFile]) {
        var found: [String: File] = [:]
        for file in files {
            guard let type = file.type else { continue }
            // Half a hash: nobody gains anything by finding another file with it.
            let tag = "\"\(SHA256.hash(file.octets).prefix(16).hexadecimal)\""
            let entry = File(type: type, tag: tag, octets: file.octets)
            found["/" + file.name] = entry
            if file.name == "index.html" { found["/"] = entry }
        }
        self.files = found
    }

    /// Returns the answer to a request that arrived at this address and port of ours.
    public func answer(_ request: Request, at local: Endpoint) -> Response {
        guard let host = request["host"], Self.hosts(of: local).contains(host.lowercased()) else {
            return .refusal(
                .misdirected, "Open this page by the address that Potluck shows.", isHead: request.isHead)
        }
        if request.path == Self.socket { return handshake(request, host) }
        guard let file = files[request.path] else {
            return .refusal(.unknown, "There is no such page.", isHead: request.isHead)
        }
        let headers = [("ETag", file.tag)]
        if request["if-none-match"] == file.tag { return Response(.unchanged, headers) }
        return Response(
            .ok, headers + [("Content-Type", file.type)], body: file.octets, isHead: request.isHead)
    }

    /// The names under which a browser may know this end of its connection. Another name would mean that a foreign page
    /// has its name resolved to our address.
    static func hosts(of local: Endpoint) -> [String] {
        let address = IPAddressText.text(local.octets)
        let isLoopback = local.octets.count == 4 ? local.octets[0] == 127 : address == "::1"
        let names = [local.octets.count == 4 ? address : "[\(address)]"] + (isLoopback ? ["localhost"] : [])
        return names.flatMap { local.port == 80 ? ["\($0):80", $0] : ["\($0):\(local.port)"] }
    }

    private func handshake(_ request: Request, _ host: String) -> Response {
        guard request["origin"]?.lowercased() == "http://\(host.lowercased())" else {
            return .refusal(.forbidden, "Only the page of this address may connect here.", isHead: request.isHead)
        }
        guard !request.isHead, request.lists("upgrade", in: "connection"), request.lists("websocket", in: "upgrade"),
            request["sec-websocket-version"] == "13"
        else {
            return .refusal(
                .upgrade, "Only a WebSocket is possible here.",
                [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")], isHead: request.isHead)
        }
        guard let key = request["sec-websocket-key"], Base64.octets(key)?.count == 16 else {
            return Response(.malformed)
        }
        return Response(.switching, [("Sec-WebSocket-Accept", Self.accept(key))])
    }

    /// RFC 6455 has this text.
    static func accept(_ key: String) -> String {
        Base64.text(SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }
}
