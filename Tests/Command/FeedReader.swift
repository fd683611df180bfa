import PotluckCore

@testable import PotluckCommand

/// What a viewer hears of a node on its machine, in the order of each kind.
struct FeedReader {
    private(set) var jobs: [JobEvent] = []
    private(set) var solutions: [FoundSolution] = []
    private(set) var programs: [FeedProgram] = []
    /// The messages that are no part of an event.
    private(set) var others: [LocalMessage] = []
    private var frames = LocalFrames()
    private var onWire = JobsOnWire()

    mutating func read(_ octets: [UInt8]) throws {
        frames.add(octets)
        while let message = try frames.next() {
            switch onWire.event(of: message) {
            case .job(let event)?: jobs.append(event)
            case .solution(let found)?: solutions.append(found)
            case .program(let program)?: programs.append(program)
            case .session?, .link?, .silent?, .cut?, .ended?: break
            case nil: if case .link = message {} else { others.append(message) }
            }
        }
    }
}
