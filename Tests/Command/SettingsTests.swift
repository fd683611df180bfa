import Testing

@testable import Potluck
@testable import PotluckCommand

/// The settings file.
@Suite struct SettingsTests {
    @Test func settingOneLeavesTheRestAsItWas() {
        var file = SettingsFile("# mine\n\nname = ana\n  cores=4  \n# end")
        #expect(file["name"] == "ana" && file["cores"] == "4" && file["battery"] == nil)
        file.set("cores", to: "2")
        file.set("battery", to: "pause")
        #expect(file.text == "# mine\n\nname = ana\ncores = 2\n# end\nbattery = pause\n")
        file.set("name", to: nil)
        #expect(file.text == "# mine\n\ncores = 2\n# end\nbattery = pause\n")
        #expect(SettingsFile(file.text) == file)
    }

    @Test func theLastLineWins() {
        var file = SettingsFile("cores = 1\ncores = 2\n")
        #expect(file["cores"] == "2")
        file.set("cores", to: "3")
        #expect(file.text == "cores = 3\n")
    }

    @Test(arguments: [
        ("nmae = ana", 1, "unknown setting 'nmae'; did you mean 'name'?"),
        ("\n# a\ncores = none", 3, "invalid value 'none' for cores: not a whole number"),
        ("cores", 1, "invalid value '' for cores: not a whole number"),
        ("battery = yes", 1, "invalid value 'yes' for battery: must be run or pause"),
        ("colours = red", 1, "invalid value 'red' for colours: must be auto, always or never"),
        ("web = yes", 1, "invalid value 'yes' for web: must be on or off"),
        (
            "name = \u{1b}[31m", 1,
            #"invalid value '\u{1b}[31m' for name: not a name of 1 to 63 bytes of printable text"#
        ),
    ])
    func mistakesAreNamed(_ text: String, _ line: Int, _ reason: String) {
        let problem = SettingsFile(text).problem
        #expect(problem?.line == line)
        #expect(problem?.reason == reason)
    }
}
