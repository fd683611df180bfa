/// The calls of a rank to the other ranks and to the program that runs it. Only the rank's own thread makes them. A
/// call that throws ends the rank.
public protocol RankHost: AnyObject, Sendable {
    var rank: Int { get }
    var size: Int { get }
    /// Seconds since the launch.
    var seconds: Double { get }

    /// Prints lines, to stderr if they are an error's.
    func log(_ octets: [UInt8], isError: Bool) throws(RankError)
    func abort(_ code: Int) throws(RankError)

    /// Sends a message. Waits as long as the mode says.
    func send(_ message: RankMessage, to receiver: Int, _ mode: RankSendMode) throws(RankError)
    /// Begins to send a message. Returns a request.
    func beginSending(_ message: RankMessage, to receiver: Int, _ mode: RankSendMode) throws(RankError) -> Int32
    /// Waits for a message that matches.
    func receive(_ pattern: RankPattern, capacity: Int) throws(RankError) -> RankMessage
    /// Asks for a message that matches. Returns a request.
    func beginReceiving(_ pattern: RankPattern, capacity: Int) throws(RankError) -> Int32
    /// Looks for a message that matches; nil if there is none and the call must not wait.
    func probe(_ pattern: RankPattern, waits: Bool) throws(RankError) -> RankStatus?
    /// Waits until one of the requests is complete. Returns the first that is, by its place in the list.
    func wait(_ requests: [Int32]) throws(RankError) -> (place: Int, completion: RankWorld.Completion)
    /// Returns the outcome of the request; nil if it is not complete.
    func test(_ request: Int32) throws(RankError) -> RankWorld.Completion?

    /// Keeps the rank's state, once all ranks have called it.
    func checkpoint(_ state: [UInt8]) throws(RankError)
    /// The state of the checkpoint at which the program began; nil if it started at its beginning.
    func restored() throws(RankError) -> [UInt8]?
}
