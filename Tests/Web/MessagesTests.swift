import PotluckKit
import Testing

@testable import PotluckCore
@testable import PotluckNet

/// JSON from outside, and the messages of the page.
@Suite struct MessagesTests {
    private func read(_ text: String) -> JSON? { JSONReader.value(Array(text.utf8)) }

    @Test(arguments: [
        "null", "true", "false", "0", "-1", "18446744073709551615", "0.5", "-1.5e-07", "1e+300", "\"\"", "[]", "{}",
        #"{"a":[1,{"b":null}],"c":"\n\"\\"}"#, #"["ä","😀"]"#,
    ])
    func writtenJSONReadsBack(_ text: String) throws {
        let value = try #require(read(text))
        #expect(read(value.text) == value)
    }

    @Test func escapesAreRead() {
        #expect(read(#""\u00e4\ud83d\ude00\/\b\f\t""#) == .string("ä😀/\u{8}\u{c}\t"))
        #expect(read(" [ 1 , 2 ] ") == [1, 2].map { JSON($0) }.list)
    }

    @Test(arguments: [
        "", "nul", "truee", "01", "-", "1.", ".5", "1e", "+1", "1 2", "[1,]", "[,1]", "[1", "{\"a\"}", "{\"a\":}",
        "{a:1}",
        "{\"a\":1,}", "{\"a\":1,\"a\":2}", "\"", "\"\\x\"", #""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\u12g4""#,
        "\"\n\"",
        "'a'", "NaN", "Infinity", "1e999", "[1]]", "\u{feff}1", "// x\n1", "0x10",
        "1" + String(repeating: "0", count: 50),
    ])
    func textThatIsNoJSONIsRefused(_ text: String) { #expect(read(text) == nil) }

    @Test func depthAndMembersAreLimited() {
        let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(read(nested(JSONReader.deepest)) != nil && read(nested(JSONReader.deepest + 1)) == nil)
        let members = { (0..<$0).map { "\"\($0)\":0" }.joined(separator: ",") }
        #expect(read("{\(members(JSONReader.mostMembers))}") != nil)
        #expect(read("{\(members(JSONReader.mostMembers + 1))}") == nil)
    }

    private static let hash = BlobHash([UInt8](repeating: 0xab, count: 32))!
    private static let job = JobID(0x0123_4567_89ab_cdef)

    static let messages: [PageMessage] = [
        .guess(job, -0.125), .propose(PageScript(name: "a.py", text: "x = \"1\"\n")), .judge(3, isOpened: true),
        .judge(0, isOpened: false), .join(client: [UInt8](0..<16), name: "ana"), .name("👩‍👩‍👧‍👦"), .pong, .results,
        .lend(cores: 0),
        .lend(cores: 64),
        .work(.fetch(hash, from: 32_768)), .work(.ready(job)), .work(.unable(job, why: "no memory")),
        .work(.done(PageChunk(attempt: "7", end: .max, busy: 0.25, tally: [0, .max, 7], output: nil))),
        .work(.done(PageChunk(attempt: "8", end: 0, busy: 0, tally: [], output: 12))),
        .work(.output(attempt: "8", octets: [1, 2, 255])), .work(.failed(attempt: "8", block: 3, why: "trap")),
        .join(client: [UInt8](0..<16), name: "host", device: device.shown([1], isFirst: true)),
        .join(client: [UInt8](0..<16), name: "host", device: device.shown([1], isFirst: false)),
        .host(.start(HostStart("monty-hall", parameters: [.init("doors", "5"), .init("", "")], asks: true))),
        .host(.start(HostStart("pi", until: "1%", time: "10s"))), .host(.command(.hide, job)),
        .host(.say("two\nlines")),
        .host(.accept(node)), .host(.decline(node)), .host(.remove("ana 2")),
        .host(.script(.list)), .host(.script(.new(kind: "dice", name: "dice.py"))),
        .host(.script(.open(name: "../etc/passwd"))), .host(.script(.check("x\0 = \"\t\\\"\n", number: 7))),
        .host(.script(.save("", name: "", print: nil))),
        .host(.script(.save("ä", name: "dice.py", print: [UInt8](repeating: 0xab, count: 32)))),
    ]
    private static let device = DeviceSecret([UInt8](0..<16))!
    private static let node = NodeID(firstOctetsOf: [UInt8](1...16))

    @Test(arguments: messages) func aMessageIsReadAsItWasMeant(_ message: PageMessage) throws {
        #expect(try PageMessage.decode(Array(message.json.text.utf8)) == message)
    }

    @Test func unknownKindsAndFieldsAreSkipped() throws {
        #expect(try PageMessage.decode(Array(#"{"do":"dance"}"#.utf8)) == nil)
        #expect(try PageMessage.decode(Array(#"{"do":"pong","more":[1]}"#.utf8)) == .pong)
    }

    @Test(arguments: [
        "[]", "{}", #"{"do":1}"#, #"{"do":"join"}"#, #"{"do":"join","client":"00","name":"x"}"#,
        #"{"do":"name","name":"12345678901234567890123456789012345678901"}"#, #"{"do":"lend","cores":65}"#,
        #"{"do":"guess","job":"0123456789abcdef"}"#, #"{"do":"guess","job":"0123456789abcdef","value":"1"}"#,
        #"{"do":"guess","job":"0","value":1}"#, #"{"do":"lend","cores":-1}"#, #"{"do":"lend","cores":1.5}"#,
        #"{"do":"ready","job":"0"}"#,
        #"{"do":"ready","job":"0000000000000000"}"#, #"{"do":"ready","job":"0123456789ABCDEF"}"#,
        #"{"do":"done","attempt":"1","end":"01","busy":0,"tally":""}"#,
        #"{"do":"done","attempt":"1","end":"1","busy":-1,"tally":""}"#,
        #"{"do":"done","attempt":"1","end":"1","busy":0,"tally":"AAAA"}"#,
        #"{"do":"done","attempt":"1","end":1,"busy":0,"tally":""}"#, #"{"do":"output","attempt":"1","octets":"A"}"#,
        #"{"do":"fetch","hash":"00","from":0}"#, #"{"do":"failed","attempt":"1","block":"-1","why":""}"#,
        #"{"do":"failed","attempt":"123456789012345678901234567890123","block":"1","why":""}"#,
        #"{"do":"start","simulation":"pi"}"#, #"{"do":"start","parameters":[]}"#, #"{"do":"pause"}"#,
        #"{"do":"start","simulation":"pi","parameters":[["a"]]}"#, #"{"do":"accept","node":"00"}"#,
        #"{"do":"start","simulation":"pi","parameters":[],"trials":7}"#, #"{"do":"say"}"#, #"{"do":"remove","name":7}"#,
        #"{"do":"new","kind":"dice"}"#, #"{"do":"open"}"#, #"{"do":"check","text":"x"}"#,
        #"{"do":"check","text":7,"number":1}"#, #"{"do":"check","text":"x","number":-1}"#,
        #"{"do":"save","text":"x"}"#, #"{"do":"save","text":"x","name":"x.py","print":"00"}"#,
        #"{"do":"join","client":"000102030405060708090a0b0c0d0e0f","name":"x","proof":"00"}"#,
    ])
    func everyFieldIsChecked(_ text: String) {
        #expect(throws: PageError.self) { try PageMessage.decode(Array(text.utf8)) }
    }

    @Test func aGatewaysMessagesAreAsTheProtocolHasThem() throws {
        let blob = try #require(BlobReference(hash: Self.hash, size: 5))
        let digits = Self.hash.description
        let preparation = PagePreparation(
            job: Self.job, name: "pi", shape: .tally, module: .init(blob: blob, memory: 65_536, seconds: 5),
            tables: .init(blob: nil, count: 0),
            experiment: Experiment(
                simulation: SimulationIdentity(name: "pi", source: "x", streams: 1), parameters: [1, .max], seed: .max,
                blockSize: 4096), trials: nil, writes: false, layout: [.init(kind: 1, bins: 0)], slots: 1)
        let texts: [(GatewayMessage, String)] = [
            (
                .welcome(session: "Monty", gateway: "host", you: "ana 2", mayLend: false, version: "1"),
                #"{"is":"welcome","session":"Monty","gateway":"host","you":"ana 2","mayLend":false,"version":"1"}"#
            ),
            (.ping, #"{"is":"ping"}"#), (.news("hi", by: nil), #"{"is":"news","text":"hi","by":null,"ago":0}"#),
            (
                .session(
                    members: [
                        PageMember(name: "a", cores: 4, kind: .laptop),
                        PageMember(name: "b", cores: 0, kind: .viewer, isHere: false),
                    ],
                    waiting: ["w"], you: 1),
                #"{"is":"session","members":[{"name":"a","cores":4,"kind":"laptop","state":"here","isYou":false},"#
                    + #"{"name":"b","cores":0,"kind":"viewer","state":"lost","isYou":true}],"waiting":["w"]}"#
            ),
            (
                .course(
                    Self.job, from: 3,
                    points: [
                        PagePoint(trials: 16, elapsed: nil, values: [.init(value: 0.5, interval: 0.25...0.75), nil])
                    ]),
                #"{"is":"course","job":"0123456789abcdef","from":3,"points":[{"trials":"16","elapsed":null,"values":[[0.5,0.25,0.75],null]}]}"#
            ),
            (.over(Self.job), #"{"is":"over","job":"0123456789abcdef"}"#),
            (
                .prepare(preparation),
                #"{"is":"prepare","job":"0123456789abcdef","name":"pi","shape":1,"module":{"hash":"\#(digits)","size":5},"#
                    + #""tables":null,"inputs":0,"parameters":["1","18446744073709551615"],"seed":"18446744073709551615","#
                    + #""block":4096,"trials":null,"writes":false,"layout":[{"kind":1,"bins":0}],"slots":1,"memory":65536,"seconds":5.0}"#
            ),
            (.part(Self.hash, from: 0, octets: [1]), #"{"is":"part","hash":"\#(digits)","from":0,"octets":"AQ=="}"#),
            (
                .chunks(Self.job, [PageLoan(attempt: "1", blocks: 10..<14)]),
                #"{"is":"chunks","job":"0123456789abcdef","chunks":[["1","10",4]]}"#
            ),
            (.drop(["1"]), #"{"is":"drop","attempts":["1"]}"#),
            (.writing(isOpen: true), #"{"is":"writing","isOpen":true}"#),
            (
                .proposals([PageProposal(3, by: "ana", name: "a.py")]),
                #"{"is":"proposals","files":[{"number":3,"by":"ana","name":"a.py"}]}"#
            ),
            (.proposed("a.py", .waits), #"{"is":"proposed","name":"a.py","state":"waits"}"#),
        ]
        for (message, text) in texts { #expect(message.json.text == text) }
    }

    @Test func programsAreAsTheProtocolHasThem() {
        let program = PageProgram(
            name: "heat", launcher: "ana", state: .silent, detail: "no news for 7 s", facts: ["1 rank"],
            laptops: [
                .init(name: "b", facts: "f", wait: "w", ranks: [.init(number: 0, state: .waits)]),
                .init(name: "c", facts: "g", wait: nil, ranks: nil),
            ], more: 2)
        #expect(
            GatewayMessage.programs([program]).json.text
                == #"{"is":"programs","programs":[{"name":"heat","launcher":"ana","state":"silent","detail":"no news for 7 s","#
                + #""facts":["1 rank"],"laptops":[{"name":"b","facts":"f","wait":"w","ranks":[[0,"waits"]]},"#
                + #"{"name":"c","facts":"g","wait":null,"ranks":null}],"more":2}]}"#)
        #expect(GatewayMessage.programs([]).json.text == #"{"is":"programs","programs":[]}"#)
    }

    @Test func listsOfPicturesContainThemAsTheyAre() {
        #expect(
            GatewayMessage.results([[0x31], [0x32]], isLast: true)
                == Array(#"{"is":"results","runs":[1,2],"last":true}"#.utf8))
        #expect(
            GatewayMessage.course(Self.job, from: 1, points: [[0x31]])
                == Array(#"{"is":"course","job":"0123456789abcdef","from":1,"points":[1]}"#.utf8))
        let guess = Guess(page: 0xab, value: 0.5, by: "ana")
        #expect(
            GatewayMessage.guesses(Self.job, from: 2, guesses: [guess.octets])
                == Array(
                    #"{"is":"guesses","job":"0123456789abcdef","from":2,"guesses":[[0.5,"ana","00000000000000ab"]]}"#
                        .utf8)
        )
    }
}

extension [JSON] {
    fileprivate var list: JSON { .array(self) }
}
