import PotluckChecks
import Testing

/// Runs a few seeds of each check; `potluck-check` runs a million.
@Suite struct CheckTests {
    @Test(arguments: Check.all) func whateverComesTheLawsHold(check: Check) throws {
        try check.run(0..<check.few)
    }
}
