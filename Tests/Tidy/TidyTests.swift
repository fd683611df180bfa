import Foundation
import Testing

/// The whole repository follows the rules. `RuleTests` shows that each rule detects violations.
@Suite struct TidyTests {
    let repository: Repository
    let house: House

    init() throws {
        repository = try Repository.current.get()
        house = House(architecture: try repository.file("docs/ARCHITECTURE.md").text)
    }

    private func expectTidy(_ rule: (TextFile) -> [Finding], _ location: SourceLocation = #_sourceLocation) {
        for finding in repository.files.flatMap(rule) { Issue.record("\(finding)", sourceLocation: location) }
    }

    @Test func theTreeIsRead() throws {
        #expect(repository.files.count > 20)
        #expect(house.rows["Kit"]?.isPure == true)
    }

    @Test func importsFollowTheTable() { expectTidy(house.findings) }

    @Test func theTableHasNoCycle() { #expect(house.cycles.isEmpty) }

    @Test func thePackageFollowsTheTable() throws {
        let manifest = Manifest(try repository.file("Package.swift").text)
        let folders = repository.paths.filter { $0.hasPrefix("Sources/") }.compactMap { path in
            let parts = path.split(separator: "/")
            return parts.count == 2 ? String(parts[1]) : nil
        }
        for finding in manifest.findings(house, folders: folders.sorted()) { Issue.record("\(finding)") }
        expectTidy { manifest.findings(in: $0, house) }
    }

    @Test func filesAreSmall() { expectTidy(Rules.length) }
    @Test func typesAreSmall() { expectTidy(Sizes.types) }
    @Test func functionsAreShort() { expectTidy(Sizes.functions) }
    @Test func blanksAreInPlace() { expectTidy(Rules.blanks) }
    @Test func nothingIsLeftForLater() { expectTidy(Rules.unfinished) }
    @Test func nothingNamesOneMachine() { expectTidy(Rules.machinePaths) }
    @Test func nothingIsChangedForEveryThread() { expectTidy(Rules.processWide) }
    @Test func sentencesArePlain() { expectTidy(Rules.wording) }
    @Test func onlyTheCommandLinePrints() { expectTidy(Rules.printing) }
    @Test func pureModulesHaveNoClockAndNoDice() { expectTidy { Rules.ambience($0, house: house) } }

    /// The tutorial ends with the first sample of the authors' page, which `AuthorsPageTests` compiles and checks.
    @Test func theTutorialEndsWithTheTestedExample() throws {
        let page = try repository.file("docs/AUTHORS.md").text
        let steps = repository.files.filter { $0.path.hasPrefix("docs/Kit.docc/Galileo/") && $0.isSwift }
        let last = try #require(steps.last)
        let tutorial = try String(
            contentsOf: Repository.root.appending(path: "docs/Kit.docc/FirstPlugin.tutorial"), encoding: .utf8)
        let named = tutorial.matches(of: /file: "(.*\.swift)"/).map { "docs/Kit.docc/Galileo/\($0.output.1)" }
        #expect(named == steps.map(\.path))
        let sample = try #require(page.firstRange(of: "\n```swift\n"))
        #expect(page[sample.upperBound...].hasPrefix(last.text + "```\n"))
    }

    @Test func theTourShowsWhatIsThere() throws {
        let page = try repository.file("docs/TOUR.md")
        let tour = Tour(page, paths: repository.paths, files: repository.files)
        for finding in tour.findings { Issue.record("\(finding)") }
        #expect(tour.sections.compactMap(\.stop) == Array(1...Tour.stops))
        #expect(page.lines.count - 1 <= Tour.longest)
    }

    @Test func documentsPointToWhatIsThere() {
        expectTidy(Links(paths: repository.paths, files: repository.files).findings)
    }
}
