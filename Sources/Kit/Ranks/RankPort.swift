#if !hasFeature(Embedded)
    /// The connection of one rank to the program that runs the ranks, in native builds. A module has functions that it
    /// imports instead, one for each of these. docs/PLUGINS.md describes them.
    ///
    /// Ranks are ranks of the world. A rank or tag of -1 matches any when receiving. A context separates communicators.
    /// Only the thread of the rank calls these functions.
    public protocol RankPort: AnyObject {
        /// The rank.
        var rank: Int { get }
        /// The number of ranks.
        var size: Int { get }
        /// Seconds since the ranks of this laptop began.
        var time: Double { get }

        /// Shows a text.
        func log(_ text: UnsafeRawBufferPointer)
        /// Ends the program on all ranks.
        func abort(_ code: Int) -> Never

        /// Sends a message, and returns when the mode allows it.
        func send(_ bytes: UnsafeRawBufferPointer, to rank: Int, tag: Int, context: Int, mode: SendMode)
        /// Begins to send a message, and copies its bytes. Returns the number of the request, from 1.
        func isend(_ bytes: UnsafeRawBufferPointer, to rank: Int, tag: Int, context: Int, mode: SendMode) -> Int
        /// Waits for a message that matches, and copies it.
        func receive(into bytes: UnsafeMutableRawBufferPointer, from rank: Int, tag: Int, context: Int) -> Status
        /// Begins to receive a message. `wait` or `test` copies it when they report it as complete, and nothing else
        /// does. Returns the number of the request, from 1.
        func ireceive(into bytes: UnsafeMutableRawBufferPointer, from rank: Int, tag: Int, context: Int) -> Int
        /// Returns the first message that matches, without receiving it; nil if there is none. Waits for one if asked to.
        func probe(from rank: Int, tag: Int, context: Int, waits: Bool) -> Status?

        /// Waits until one of the requests is complete. Returns the lowest index of one that is; nil if all are 0.
        func wait(_ requests: UnsafeBufferPointer<Int32>) -> (index: Int, status: Status)?
        /// Returns the status of a request that is complete; nil if it is not.
        func test(_ request: Int) -> Status?

        /// Keeps the state of this rank.
        func checkpoint(_ state: UnsafeRawBufferPointer)
        /// Copies the state that this start began from, as much as fits. Returns its size in bytes; nil if the program
        /// started without one.
        func restore(into state: UnsafeMutableRawBufferPointer) -> Int?
    }

    typealias Port = any RankPort

    extension RankProgram {
        /// Runs one rank natively, with the default parameters or those of this value. Returns its output.
        public func output(_ port: any RankPort, seed: UInt64, arguments: [String] = []) -> [UInt8] {
            var output = Output()
            run(Communicator(World(port: port, seed: seed, arguments: arguments)), &output)
            return output.octets
        }
    }
#endif
