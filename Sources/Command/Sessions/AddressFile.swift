import Glibc
import Potluck
import PotluckCore
import PotluckNet
import PotluckScreen
import PotluckSystem

/// A file with the addresses of a node, by which others find it where discovery does not reach, as on a cluster.
struct AddressFile {
    /// The option of the node that has the addresses.
    static let written = Option(
        "address-file", "FILE", "write this node's addresses to a file, for --connect-file", in: .network,
        CommonOptions.file)
    /// The option of the nodes that connect to it.
    static let given = Option(
        "connect-file", "FILE", "wait for this file, and connect to the addresses in it", in: .network,
        CommonOptions.file)

    /// The most bytes of a file of addresses. A machine with a hundred interfaces needs a tenth.
    private static let longest = 1 << 16
    /// How often a node looks whether the file is there: on a network file system, the cluster's other nodes look as
    /// often.
    private static let interval = Duration.milliseconds(500)
    /// The seconds between two looks at the file of a node that has started. A node finds a server that starts again
    /// elsewhere within seconds, and many nodes cost a network file system little.
    private static let lookAgain: UInt32 = 5

    // MARK: Writing

    private let path: String
    private let text: String

    /// Writes the addresses of a node that listens at this port, whole or not at all. `interface` is the only one that it
    /// uses; nil for all.
    init(_ path: String, port: UInt16, interface: String?) throws {
        self.path = path
        text = OwnAddress.all(onlyAt: interface).map { octets in
            let host = IPAddressText.text(octets)
            return "\(octets.count == 4 ? host : "[\(host)]"):\(port)\n"
        }.joined()
        try FileWriter.write(text, overwriting: path)
    }

    /// Writes the file that the command line names; nil if it names none.
    static func write(_ session: Session, _ arguments: Arguments) throws -> AddressFile? {
        let interface = try DiscoveryArguments.read(arguments).interface
        return try arguments[written].map { try AddressFile($0, port: session.port, interface: interface) }
    }

    /// Removes the file, unless another node has written it since.
    func end() { if (try? Self.text(path)) == text { unlink(path) } }

    /// Throws if there is a file of another kind.
    static func check(_ arguments: Arguments) throws {
        guard let path = try arguments[written], let text = try text(path), !text.isEmpty, addresses(text) == nil else {
            return
        }
        throw Failure(
            message: "\(Spelling.path(path)) exists and holds no addresses; choose another name, or remove it")
    }

    // MARK: Reading

    /// Waits for the file that the command line names, and says so.
    static func wait(_ arguments: Arguments) async throws {
        guard let path = try arguments[given], try text(path) == nil else { return }
        Output.complain("waiting for \(Spelling.path(path)), which the server writes")
        while try text(path) == nil { try await Task.sleep(for: interval) }
    }

    /// Returns the addresses in the file that the command line names; none if it names none.
    static func read(_ arguments: Arguments) throws -> [HostPort] {
        guard let path = try arguments[given] else { return [] }
        guard let text = try text(path) else { throw Failure(message: "\(Spelling.path(path)) is gone") }
        guard let addresses = addresses(text) else {
            throw Failure(
                message: "\(Spelling.path(path)) holds no addresses; each line must be one like 10.0.0.1:7077")
        }
        return addresses
    }

    /// Also connects the node to addresses that the file gets later, because the server may start again elsewhere.
    /// `first` are the addresses that it had.
    static func follow(_ arguments: Arguments, since first: [HostPort], _ session: Session) throws {
        guard let path = try arguments[given] else { return }
        // A network file system may not answer for a long time.
        SystemThread(for: "a file of addresses") { [weak session] in
            var known = first
            while true {
                sleep(lookAgain)
                guard let session else { return }
                guard let now = try? text(path), let found = addresses(now), found != known else { continue }
                known = found
                Task { for address in found { await session.connect(host: address.host, port: address.port) } }
            }
        }.detach()
    }

    /// Parses a line for each address; nil unless there is one and all are whole.
    static func addresses(_ text: String) -> [HostPort]? {
        guard text.hasSuffix("\n") else { return nil }
        let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
        let addresses = lines.compactMap { HostPort(String($0)) }
        return addresses.count == lines.count ? addresses : nil
    }

    /// Returns the text of the file; nil if it is not there.
    private static func text(_ path: String) throws -> String? {
        if access(path, F_OK) != 0, errno == ENOENT { return nil }
        guard let octets = try TableFile.octets(of: path, atMost: longest) else { return "" }
        return String(decoding: octets, as: UTF8.self)
    }
}
