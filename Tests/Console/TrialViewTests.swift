import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// Trials that are played one by one, in words.
@Suite struct TrialViewTests {
    private func reading(_ name: String, _ kind: ReadingKind, _ value: Double?) -> Reading {
        Reading(name: name, kind: kind, value: value, exact: 0.5)
    }

    @Test func aTrialIsToldByWhatHappened() {
        let (stay, other) = (reading("stay", .proportion, 1), reading("switch", .proportion, 0))
        #expect(TrialView.told([stay, other]) == "stay")
        #expect(TrialView.told([reading("hit", .proportion, 0), reading("miss", .category, 0)]) == "no hit, no miss")
        let values = [reading("packets", .mean, 231), reading("spread", .variance, 0), stay]
        #expect(TrialView.told(values) == "stay, packets 231")
        #expect(TrialView.told([reading("bins", .histogram, nil), reading("none", .mean, nil)]) == "")
    }

    @Test func notesAreBesideTheirTrialAndAnswersAreHidden() {
        let canvas = Canvas(columns: 40, unicode: true, colour: false)
        let readings = [reading("stay", .proportion, 1)]
        let lines = TrialView.lines(12, readings, TrialLog("0 1 the car is \u{1b}[31mhere\n"), on: canvas)
        #expect(lines.map { $0.rendered(on: canvas) } == ["trial 12  stay", "    the car is ?[31mhere"])
        let sum = TrialView.sum(readings, on: canvas).map { $0.rendered(on: canvas) }.joined(separator: "\n")
        #expect(sum.contains("stay") && !sum.contains("exact"))
    }

    /// A door that is picked, a needle and a point.
    private let log = TrialLog(
        """
        0 1 \t1000 500\tb 0 0 400 500 4\tt 200 250 4 pick
        0 1 \t+\tl 500 0 1000 500 0
        0 1 \t+\tC 800 100 60 2
        """)

    @Test func aPictureIsAboveItsTrial() {
        let canvas = Canvas(columns: 40, unicode: true, colour: false)
        let lines = TrialView.lines(1, [reading("stay", .proportion, 1)], log, on: canvas)
        #expect(lines.map { $0.rendered(on: canvas) } == Self.golden)
        // Frame by frame it grows to the same, and never changes its size.
        let parts = (1...3).map { TrialView.picture(log, after: $0, on: canvas) }
        #expect(parts[2] == Array(lines.dropLast()) && Set(parts.map(\.count)).count == 1)
        #expect(parts[0] != parts[1] && parts[1] != parts[2])
        #expect(TrialView.lines(1, [], log, isDrawn: false, on: canvas).count == 1)
    }

    private static let golden = [
        "    ⡏⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⡇                   ⡠⠊",
        "    ⡇             ⡇                 ⡠⠊",
        "    ⡇             ⡇               ⡠⠊",
        "    ⡇             ⡇             ⡠⠊",
        "    ⡇    pick     ⡇          ⢀⠔⠊",
        "    ⡇             ⡇        ⢀⠔⠁",
        "    ⡇             ⡇      ⢀⠔⠁  ⣴⣿⣿⣷⡄",
        "    ⡇             ⡇    ⢀⠔⠁    ⢿⣿⣿⣿⠇",
        "    ⣇⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡇  ⢀⠔⠁       ⠉⠉⠁",
        "trial 1  stay",
    ]

    @Test func aPictureFitsEveryCanvas() {
        for columns in 1...120 {
            for rows in [1, 7, 24, nil] {
                let canvas = Canvas(columns: columns, rows: rows, unicode: columns % 2 == 0, colour: true)
                let lines = TrialView.picture(log, after: 3, on: canvas)
                #expect(lines.allSatisfy { $0.width(on: canvas) <= columns }, "\(columns) columns")
                #expect(lines.count <= max(1, min(16, (rows ?? 100) - 6)), "\(columns) columns")
            }
        }
    }

    @Test func anAnimationIsShortAndEndsWithTheWholePicture() {
        for frames in 1...3000 {
            let (moments, pause) = TrialView.animation(of: frames)
            #expect(moments.last == frames && zip(moments, moments.dropFirst()).allSatisfy { $0 < $1 })
            #expect(moments[0] > 0 && pause * moments.count <= .seconds(3) && pause >= .milliseconds(60))
        }
        #expect(TrialView.animation(of: 0).moments.isEmpty)
    }
}
