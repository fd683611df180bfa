import Testing

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
        ("nmae = ana", 1, "there is no setting nmae, did you mean name?"),
        ("\n# a\ncores = none", 3, "cores: not a number of cores"), ("cores", 1, "cores: not a number of cores"),
        ("battery = yes", 1, "battery: run or pause"), ("colours = red", 1, "colours: auto, always or never"),
        ("name = \u{1b}[31m", 1, "name: not a name of 1 to 63 octets"),
    ])
    func mistakesAreNamed(_ text: String, _ line: Int, _ reason: String) {
        let problem = SettingsFile(text).problem
        #expect(problem?.line == line)
        #expect(problem?.reason == reason)
    }
}
