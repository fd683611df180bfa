import PotluckChecks
import Testing

/// A little of each check; `potluck-check` tries a million seeds of each.
@Suite struct CheckTests {
    @Test(arguments: Check.all) func whateverComesTheLawsHold(check: Check) throws {
        try check.run(0..<check.few)
    }
}
