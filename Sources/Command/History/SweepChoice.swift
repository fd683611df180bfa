import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// Finds the sweep that a command line names: `sweep=8ab2be2e05beef99`, or `last` if the newest line of the history is
/// one.
enum SweepChoice {
    private static let mark = "sweep="

    /// Returns nil if the texts name runs.
    static func sweep(_ texts: [String], _ history: History?) throws -> RecordedSweep? {
        if texts == ["last"] {
            guard let history, let id = try history.newest(), let sweep = try history.run(id)?.sweep else { return nil }
            return RecordedSweep(sweep, try history.runs(ofSweep: sweep))
        }
        guard let text = texts.first(where: { $0.hasPrefix(mark) }) else { return nil }
        let digits = text.dropFirst(mark.count)
        guard digits.utf8.count == JobID(0).text.utf8.count, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let number = UInt64(digits, radix: 16)
        else {
            throw UsageError(
                "\(Spelling.quoted(String(digits))) is not a sweep's number, which has 16 digits; "
                    + "'potluck history' lists them")
        }
        guard texts.count == 1 else { throw UsageError("a report of a sweep has no other runs; name the sweep alone") }
        guard let history else { throw RunChoice.nothingRecorded }
        guard let sweep = RecordedSweep(JobID(number), try history.runs(ofSweep: JobID(number))) else {
            throw Failure(message: "no sweep \(JobID(number).text); 'potluck history' lists the sweeps")
        }
        return sweep
    }
}
