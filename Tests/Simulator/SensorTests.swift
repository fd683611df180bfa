import Foundation
import PotluckModel
import Testing

@testable import PotluckSimulator

/// Each law finds what it watches for. `ScheduleTests` breaks whole evenings; here each check of each law gets one bad picture.
@Suite struct SensorTests {
    @Test(arguments: Sensor.all) func eachLawFindsWhatBreaksIt(sensor: Sensor) throws {
        let evening = Evening()
        try sensor.spoil(evening)
        let failure = try #require(evening.room.failure, "nothing was found")
        #expect(failure.law == sensor.law, "\(failure.what)")
        #expect(failure.what.contains(sensor.says), "\(failure.what)")
    }

    /// What a sensor spoils is sound before it does.
    @Test(arguments: VirtualSimulation.allCases, [false, true]) func anHonestPictureBreaksNoLaw(
        kind: VirtualSimulation, collects: Bool
    ) {
        let evening = Evening()
        let order = evening.order(kind, collects: collects)
        evening.know(order, submitter: evening.bob.seat)
        evening.does([.wake(at: evening.ana.clock.local(evening.room.now) + .seconds(1))])
        evening.does([.publish(evening.snapshot(.running))])
        let result = evening.result(of: order, output: collects ? evening.whole(order) : nil)
        evening.room.finished(evening.ana, evening.id, result)
        evening.room.finished(evening.bob, evening.id, result)
        evening.room.look()
        evening.room.checkDisk(evening.ana)
        // The wish for the output is still open, and nobody is there to answer it.
        evening.room.wishes.wishes = []
        evening.room.checkEnd()
        #expect(evening.room.failure == nil)
    }

    /// A law without a sensor fails here, and so does a check that was added to a law: there is one sensor for each place where
    /// a law is called broken.
    @Test func everyCheckOfEveryLawHasASensor() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Simulator")
        var places: [String: Int] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: sources.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
            for match in text.matches(of: #/fail\(\s*\.(\w+)/#) { places[String(match.1), default: 0] += 1 }
        }
        #expect(Set(places.keys) == Set(Failure.Law.allCases.map { "\($0)" }))
        for law in Failure.Law.allCases {
            let sensors = Sensor.all.count { $0.law == law }
            #expect(sensors == places["\(law)"], "sensors of “\(law.rawValue)”")
        }
    }
}
