import Foundation
import PotluckCore
import Testing

@testable import PotluckSimulation

/// Each law detects a violation. `ScheduleTests` breaks whole schedules; here every single check of every law gets one
/// violation.
@Suite struct SensorTests {
    @Test(arguments: Sensor.all) func eachLawFindsItsViolation(sensor: Sensor) throws {
        let evening = Evening()
        try sensor.spoil(evening)
        let failure = try #require(evening.room.failure, "nothing was found")
        #expect(failure.law == sensor.law, "\(failure.what)")
        #expect(failure.what.contains(sensor.says), "\(failure.what)")
    }

    /// The states that the sensors spoil break no law before that.
    @Test(arguments: VirtualSimulation.allCases, [false, true]) func anHonestPictureBreaksNoLaw(
        kind: VirtualSimulation, collects: Bool
    ) {
        let evening = Evening()
        let order = evening.order(kind, collects: collects)
        evening.know(order, submitter: evening.bob.seat)
        evening.does([.wake(at: evening.ana.clock.local(evening.room.now) + .seconds(1))])
        evening.does([.tell(.snapshot(evening.snapshot(.running)))])
        let result = evening.result(of: order, output: collects ? evening.whole(order) : nil)
        evening.room.finished(evening.ana, evening.id, result)
        evening.room.finished(evening.bob, evening.id, result)
        evening.room.look()
        evening.room.checkDisk(evening.ana)
        // The request for the output is still open, and no engine runs here to answer it.
        evening.room.wishes.wishes = []
        evening.room.checkEnd()
        #expect(evening.room.failure == nil)
    }

    /// Every place that reports a broken law has one sensor. This fails for a new law or a new check without one.
    @Test func everyCheckOfEveryLawHasASensor() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Simulation")
        var places: [String: Int] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: sources.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
            for match in text.matches(of: #/fail\(\s*\.(\w+)/#) { places[String(match.1), default: 0] += 1 }
        }
        #expect(Set(places.keys) == Set(PotluckSimulation.Failure.Law.allCases.map { "\($0)" }))
        for law in PotluckSimulation.Failure.Law.allCases {
            let sensors = Sensor.all.count { $0.law == law }
            #expect(sensors == places["\(law)"], "sensors of “\(law.rawValue)”")
        }
    }
}
