import PotluckChecks
import PotluckKit
import Testing

@testable import PotluckCore

/// Bytes as version 0.1 wrote them. They never change: a program that decodes them
/// differently cannot talk to older nodes.
@Suite struct JobGoldenTests {
    /// The hash of `JobSamples.module`.
    private static let module = "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"

    /// One for each of `JobSamples.messages`, in order.
    static let golden: [String] =
        [
            """
            0b 0132 \
            010a6d6f6e74792d68616c6c02066330666665650301010410030000000000000001000000000000000502ac02060380 \
            8004 0214 0208000000000000e03f040800ca9a3b00000000 0310 707172737475767778797a7b7c7d7e7f 0401 07 \
            0501 02 0605 80e497d012 0708 03616e610342c3b6
            """,
            "0c 0108 0807060504030201 0201 03 0310 707172737475767778797a7b7c7d7e7f 0401 08",
            "0c 0108 0807060504030201 0201 01",
            "0d 0108 0807060504030201 0201 07",
            "0e 0110 746865206c696e652069732066756c6c 0201 07",
            """
            0f 0108 0807060504030201 0232 \
            010a6d6f6e74792d68616c6c02066330666665650301010410030000000000000001000000000000000502ac02060380 \
            8004 0305 0103c0843d 0436 \
            010f53746179206f72207377697463683f020e0d0105646f6f72730201330301010313060104737461790b0106737769 \
            746368020101
            """,
            "10 0108 0807060504030201",
            "11 0108 0807060504030201 0212 6e6f20737563682073696d756c6174696f6e",
            "12 0101 04",
            "12",
            "13 0108 0807060504030201 0206 0a2010000008",
            "13 0108 0807060504030201",
            "14 0108 0807060504030201 0203 120011",
            "15 0108 0807060504030201",
            """
            16 0108 0807060504030201 0220 1f010105020120030580c6868f01041001000000000000000200000000000000
            """,
            "17 0108 0807060504030201 0201 05 0301 14 040d 6f7574206f66206d656d6f7279",
            """
            18 0108 0807060504030201 0203 616e61 0303 010102 0402 c801 0510 32000000000000009600000000000000 \
            0630 \
            2f0104737461790201010308000000000000d03f0410000000000000c03f000000000000e03f0508000000000000f83f \
            0705 8094ebdc03 0808 0000000000006940 0901 03 0a05 80bcc1960b 0b3e \
            3d0110000102030405060708090a0b0c0d0e0f0203616e61030108040380800405080000000000000040060101080840 \
            420f0000000000090580a8d6b907
            """,
            """
            19 0108 0807060504030201 0201 03 0335 \
            01011c02302f0104737461790201010308000000000000d03f0410000000000000c03f000000000000e03f0508000000 \
            000000f83f
            """,
            """
            1a 0108 0807060504030201 0232 \
            010a6d6f6e74792d68616c6c02066330666665650301010410030000000000000001000000000000000502ac02060380 \
            8004 0305 0103c0843d 0436 \
            010f53746179206f72207377697463683f020e0d0105646f6f72730201330301010313060104737461790b0106737769 \
            746368020101 0503 c0843d 0610 01000000000000000200000000000000 0769 \
            2f0104737461790201010308000000000000d03f0410000000000000c03f000000000000e03f0508000000000000f83f \
            380101780201050601010701010818000000000000000002000000000000000100000000000000091000000000000000 \
            00000000000000f03f 0836 \
            3501011002302f0104737461790201010308000000000000d03f0410000000000000c03f000000000000e03f05080000 \
            00000000f83f 0901 01 0a05 8094ebdc03 0b3e \
            3d0110000102030405060708090a0b0c0d0e0f0203616e61030108040380800405080000000000000040060101080840 \
            420f0000000000090580a8d6b907
            """,
            "1b 0108 0807060504030201",
            """
            0f010808070605040302010232010a6d6f6e74792d68616c6c02066330666665650301010410030000000000000001000000 \
            000000000502ac02060380800403050103c0843d0436010f53746179206f72207377697463683f020e0d0105646f6f727302 \
            01330301010313060104737461790b01067377697463680201010803808004
            """,
            """
            230108080706050403020102201f010110020120030580c6868f01041001000000000000000200000000000000
            """,
            """
            240108080706050403020102e201240101010703010203080a6d6f6e74792d68616c6c0903616e610a0680d095ffbc310b01 \
            03180101050301100510010000000000000002000000000000002d0101020201200301280410000102030405060708090a0b \
            0c0d0e0f05100300000000000000040000000000000018010103030128051005000000000000000600000000000000180101 \
            04030113051007000000000000000800000000000000060101060301280a01010706058094ebdc0306010108020102030101 \
            09 26 01010a 0c21 20 0110 000102030405060708090a0b0c0d0e0f 0203616e61 0401 05 0a01 07 0b01 02
            """,
            """
            0b 0132 \
            010a6d6f6e74792d68616c6c02066330666665650301010410030000000000000001000000000000000502ac02060380 \
            8004 0310 707172737475767778797a7b7c7d7e7f 0401 07 0501 01 0827 0120\(module)0203a09c01
            """,
            """
            0f 0108 0807060504030201 0232 \
            010a6d6f6e74792d68616c6c02066330666665650301010410030000000000000001000000000000000502ac02060380 \
            8004 0436 \
            010f53746179206f72207377697463683f020e0d0105646f6f72730201330301010313060104737461790b0106737769 \
            746368020101 0527 0120\(module)0203a09c01
            """,
            "1c 0120 \(module)",
            "1c 0120 \(module) 0202 8078",
            "1d 0120 \(module) 0202 8078 0304 0061736d",
            "1e 0120 \(module) 0217 6974206973206e6f74206b65707420616e79206d6f7265",
            """
            0b 0132 \
            010a6d6f6e74792d68616c6c02066330666665650301010410030000000000000001000000000000000502ac02060380 \
            8004 0310 707172737475767778797a7b7c7d7e7f 0401 07 0501 01 0927 0120\(module)0203a09c01 0a01 01
            """,
            """
            0f 0108 0807060504030201 0232 \
            010a6d6f6e74792d68616c6c02066330666665650301010410030000000000000001000000000000000502ac02060380 \
            8004 0436 \
            010f53746179206f72207377697463683f020e0d0105646f6f72730201330301010313060104737461790b0106737769 \
            746368020101 0627 0120\(module)0203a09c01 0701 01
            """,
            """
            16 0108 0807060504030201 0249 48 0101 05 0201 20 0305 80c6868f01 \
            0410 01000000000000000200000000000000 0527 0120\(module)0203a09c01
            """,
            """
            1a 0108 0807060504030201 0232 \
            010a6d6f6e74792d68616c6c02066330666665650301010410030000000000000001000000000000000502ac02060380 \
            8004 0436 \
            010f53746179206f72207377697463683f020e0d0105646f6f72730201330301010313060104737461790b0106737769 \
            746368020101 0503 c0843d 0610 01000000000000000200000000000000 0901 01 0a05 8094ebdc03 \
            0c27 0120\(module)0203a09c01
            """,
            "1c 0120 \(module) 0205 8080808004",
            "25 0108 0807060504030201 0210 c9ffffffffffffff 0000000000010000",
            "26 0108 0807060504030201 0210 fb0c000000000000 0000000000000000",
            """
            13 0108 0807060504030201 0206 0a2010000008 \
            0322 00 fb0c000000000000 0700000000000000 01 ffffffffffffff7f ffffffffffffffff
            """,
            """
            16 0108 0807060504030201 0227 26 0101 05 0201 20 0305 80c6868f01 \
            0410 01000000000000000200000000000000 0602 e807 0701 07
            """,
            """
            19 0108 0807060504030201 0201 03 033f 0101 1c 0230 2f 010473746179 0201 01 0308 000000000000d03f \
            0410 000000000000c03f000000000000e03f 0508 000000000000f83f 0308 00c2eb0b00000000
            """,
            """
            18 0108 0807060504030201 0203616e61 0303 010102 0402 c801 0705 8094ebdc03 0901 02 0b2a 29 \
            0110 000102030405060708090a0b0c0d0e0f 0203616e61 0301 08 0403 808004 0601 01 0a02 e807 0b01 07 \
            0e10 fb0c000000000000 0700000000000000
            """,
            "28 0110 0807060504030201 0100000000000000", "29 0108 0807060504030201", "29",
            "2a 0110 707172737475767778797a7b7c7d7e7f 0201 07", "2b 0101 07", "2c",
            """
            2d 0108 0807060504030201 022a 12 010107 0208000000000000d03f 0303616e61 \
            16 010affffffffffffffffff01 02080000000000000000
            """,
        ]

    @Test func theBytesStayTheSame() throws {
        #expect(Self.golden.count == JobSamples.messages.count)
        for (text, message) in zip(Self.golden, JobSamples.messages) {
            let bytes = Samples.octets(text)
            let written = Message.job(message).encoded()
            #expect(written == bytes, "\(written.hexadecimal)")
            #expect((try? Message.decode(bytes)) == .job(message))
        }
    }

    /// Messages with only the required fields.
    @Test func anOlderNodeIsUnderstood() throws {
        let id = JobID(1)
        let bare = Experiment(
            simulation: SimulationIdentity(name: "a", source: "", streams: 0), parameters: [], seed: 0, blockSize: 16)
        let older: [(String, JobMessage)] = [
            (
                "0b 0106 010161 060110 0310 707172737475767778797a7b7c7d7e7f",
                .order(
                    JobOrder(JobRecipe(experiment: bare), workers: 0), ticket: JobSamples.ticket,
                    token: 0)
            ),
            ("19 0108 0100000000000000", .course(id, index: 0, CoursePoint(trials: 0, readings: []))),
            (
                "0f 0108 0100000000000000 0206 010161 060110",
                .job(id, JobSpec(JobRecipe(experiment: bare, goal: Goal())))
            ),
            (
                "18 0108 0100000000000000 0303 010102 0901 02",
                .picture(
                    JobPicture(id: id, submitter: "", state: .running))
            ),
            (
                "1a 0108 0100000000000000 0206 010161 060110 0901 01",
                .result(
                    id,
                    JobResult(
                        spec: JobSpec(JobRecipe(experiment: bare, goal: Goal())), trials: 0, tally: [], readings: [],
                        completion: .trials, elapsed: .zero, nodes: []))
            ),
        ]
        for (text, message) in older { #expect(try Message.decode(Samples.octets(text)) == .job(message), "\(text)") }
    }

    /// Whether exact answers are hidden is a field that older nodes skip.
    @Test func hiddenAnswersAreOneMoreField() throws {
        let id = JobID(1)
        let head = "0108 0100000000000000"
        var picture = JobPicture(id: id, submitter: "", state: .running)
        picture.hidesExact = true
        let bare = Experiment(
            simulation: SimulationIdentity(name: "a", source: "", streams: 0), parameters: [], seed: 0, blockSize: 16)
        let result = JobResult(
            spec: JobSpec(JobRecipe(experiment: bare, goal: Goal())), trials: 0, tally: [], readings: [],
            completion: .trials,
            elapsed: .zero, nodes: [], hidesExact: true)
        var hiding = JobOrder(JobRecipe(experiment: bare), workers: 0)
        hiding.hidesExact = true
        let messages: [(String, JobMessage)] = [
            ("18 \(head) 0303 010102 0901 02 0d01 01", .picture(picture)),
            ("1a \(head) 0206 010161 060110 0901 01 0d01 01", .result(id, result)),
            ("0c \(head) 0201 04", .command(.reveal, id, ticket: nil, token: 0)),
            ("0c \(head) 0201 05", .command(.hide, id, ticket: nil, token: 0)),
            (
                "0b 0106 010161 060110 0310 707172737475767778797a7b7c7d7e7f 0b01 01",
                .order(hiding, ticket: JobSamples.ticket, token: 0)
            ),
        ]
        for (text, message) in messages {
            #expect(try Message.decode(Samples.octets(text)) == .job(message), "\(text)")
        }
        #expect(Message.job(.picture(picture)).encoded() == Samples.octets(messages[0].0))
    }

    /// Whether a job begins in slow motion is a field that older nodes skip.
    @Test func slowMotionIsOneMoreField() throws {
        let bare = Experiment(
            simulation: SimulationIdentity(name: "a", source: "", streams: 0), parameters: [], seed: 0, blockSize: 16)
        var slow = JobOrder(JobRecipe(experiment: bare), workers: 0)
        slow.startsSlowly = true
        let message = JobMessage.order(slow, ticket: JobSamples.ticket, token: 0)
        let text = "0b 0106 010161 060110 0310 707172737475767778797a7b7c7d7e7f 0f01 01"
        #expect(try Message.decode(Samples.octets(text)) == .job(message))
        #expect(try Message.decode(Message.job(message).encoded()[...]) == .job(message))
    }

    /// The job ahead and the nodes that are wanted are fields that older nodes skip.
    @Test func theWaitOfAJobHasOptionalFields() throws {
        let waits: [(String, JobWait)] = [
            ("0309 010101 020102 030102", .line(2)),
            (
                "0318 010101 020102 030102 0608 0900000000000000 0803 026869",
                .line(2, behind: JobAhead(id: JobID(9), name: "hi"))
            ),
            ("030c 010101 020104 030101 040102", .workers(1, of: 2)),
            ("0314 010101 020104 030101 040102 0806 02626f 026379", .workers(1, of: 2, among: ["bo", "cy"])),
        ]
        for (text, wait) in waits {
            let picture = JobPicture(id: JobID(1), submitter: "", state: .waiting(wait))
            let bytes = Samples.octets("18 0108 0100000000000000 \(text) 0901 02")
            #expect(Message.job(.picture(picture)).encoded() == bytes, "\(wait)")
            #expect(try Message.decode(bytes) == .job(.picture(picture)), "\(wait)")
        }
    }

    /// An older node reads the line, and sends nothing else.
    @Test func aFailedBlockIsSaidInALineToo() throws {
        let failure = BlockFailure(block: 3, seed: 7, text: "no")
        let line = "05 23 6974206661696c7320617420626c6f636b20332077697468207365656420373a206e6f"
        let states: [(String, JobFailure)] = [
            ("34 010106 \(line) 07 0a 010103 020107 03026e6f", .block(failure)),
            ("28 010106 \(line)", .other("\(failure)")),
        ]
        for (text, failure) in states {
            let bytes = Samples.octets("18 0108 0100000000000000 03 \(text) 0901 02")
            let picture = JobPicture(id: JobID(1), submitter: "", state: .failed(failure))
            #expect(Message.job(.picture(picture)).encoded() == bytes, "\(failure)")
            #expect(try Message.decode(bytes) == .job(.picture(picture)), "\(failure)")
        }
    }

    /// A later version has commands, states, completions, kinds of readings and of work that this version does not
    /// know. Each is skipped, together with as little of its surroundings as possible.
    @Test func aNewerNodeIsUnderstood() throws {
        let id = JobID(1)
        let head = "0108 0100000000000000"
        let stopping = JobPicture(id: id, submitter: "", state: .stopping)
        var reading = stopping
        reading.readings = [Reading(name: "a", kind: .mean, value: nil)]
        let newer: [(String, JobMessage?)] = [
            ("0c \(head) 0201 0a", nil),
            ("0c \(head) 0201 01 0902 0000", .command(.pause, id, ticket: nil, token: 0)),
            ("18 \(head) 0303 010107 0901 02", nil),
            ("18 \(head) 0306 010101 020105 0901 02", nil),
            ("18 \(head) 0306 010105 020105 0901 02", nil),
            ("18 \(head) 0307 010104 070200ff 0901 04", .picture(stopping)),
            ("18 \(head) 0303 010104 060e 06 010161 020109 06 010161 020102 0901 02", .picture(reading)),
            (
                "18 \(head) 0303 010104 0901 02 0b16 15 0110 000102030405060708090a0b0c0d0e0f 06010a",
                .picture(stopping)
            ),
            ("1a \(head) 0206 010161 060110 0901 05", nil),
            ("17 \(head) 0501 00", .failure(id, attempt: 0, block: 0, text: "")),
        ]
        for (text, message) in newer {
            #expect(try Message.decode(Samples.octets(text)) == message.map { .job($0) }, "\(text)")
        }
    }

    /// A message must not have two encodings.
    @Test func otherEncodingsAreRefused() {
        let head = "0108 0100000000000000"
        let wrong = [
            "10", "10 0108 0000000000000000", "10 0107 01000000000000", "10 \(head) \(head)", "13 \(head) 0200",
            "13 \(head) 0202 0000", "13 \(head) 0203 000000", "14 \(head) 0200", "14 \(head) 0202 8000",
            "0c \(head)", "0b 0106 010161 060110", "0f \(head) 0206 010161 060110 0300",
            "0f \(head) 0206 010161 060111",
            // Precisions: NaN, two at once, not positive.
            "0f \(head) 0206 010161 060110 030a 0208 000000000000f87f",
            "0f \(head) 0206 010161 060110 0314 0208 000000000000e03f 0308 000000000000e03f",
            "0f \(head) 0206 010161 060110 030a 0208 0000000000000080",
            // A reading of NaN, an interval that ends before it starts, half a slot.
            "18 \(head) 0303 010104 060e 0d 020102 0308 010000000000f07f 0901 02",
            "18 \(head) 0303 010104 0616 15 020102 0410 000000000000f03f 0000000000000000 0901 02",
            "16 \(head) 0207 06 0404 00000000",
        ]
        for text in wrong {
            #expect(throws: WireError.self, "\(text)") { try Message.decode(Samples.octets(text)) }
        }
    }
}
