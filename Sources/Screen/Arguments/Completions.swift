/// Scripts that let a shell complete a program's commands and options, made from its declarations.
package enum Completions: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The script for this shell.
    package func script(for program: Program) -> String {
        switch self {
        case .bash: Self.bash(program)
        case .zsh: Self.zsh(program)
        case .fish: Self.fish(program)
        }
    }

    private static func shown(_ command: Command) -> [OptionDeclaration] { command.options.filter { !$0.isHidden } }

    private static func commands(_ program: Program) -> [Command] { program.commands.filter { !$0.isHidden } }

    /// The words that can be typed for these options: `--trials -p --parameter`.
    private static func words(_ options: [OptionDeclaration]) -> [String] {
        options.flatMap { option in (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.name)"] }
    }

    private static func bash(_ program: Program) -> String {
        let cases = commands(program).map { command in
            let options = words(shown(command)) + ["--help"]
            let taking = words(shown(command).filter(\.takesValue))
            return """
                    \(command.name))
                        options='\(options.joined(separator: " "))'
                        values='\(taking.joined(separator: " "))' ;;
                """
        }
        return """
            # Completions of \(program.name) for bash.
            _\(program.name)() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options= values=
                if ((COMP_CWORD == 1)); then
                    COMPREPLY=($(compgen -W '\(commands(program).map(\.name).joined(separator: " ")) help version --help --version' -- "$word"))
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
                    help)
                        COMPREPLY=($(compgen -W '\(commands(program).map(\.name).joined(separator: " "))' -- "$word"))
                        return ;;
                esac
                # The value of an option, or an argument, may be a file.
                if [[ " $values " == *" $before "* || $word != -* ]]; then
                    COMPREPLY=($(compgen -f -- "$word"))
                else
                    COMPREPLY=($(compgen -W "$options" -- "$word"))
                fi
            }
            complete -o filenames -F _\(program.name) \(program.name)

            """
    }

    /// A text within single quotes.
    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

    private static func zsh(_ program: Program) -> String {
        let names = commands(program).map { quoted("\($0.name):\($0.summary.replacing(":", with: "\\:"))") }
        let cases = commands(program).map { command in
            let options = shown(command).map { option -> String in
                let help = option.help.replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
                let value = option.placeholder.map { ":\($0.replacing(":", with: "\\:")):_files" } ?? ""
                let star = option.repeats ? "*" : ""
                let long = quoted("\(star)--\(option.name)[\(help)]\(value)")
                return (option.short.map { quoted("\(star)-\($0)[\(help)]\(value)") + " " } ?? "") + long
            }
            let all = options + [quoted("--help[show this help]"), quoted("*:argument:_files")]
            return "        \(command.name)) _arguments \(all.joined(separator: " ")) ;;"
        }
        return """
            #compdef \(program.name)
            # Completions of \(program.name) for zsh.
            _\(program.name)() {
                local -a commands
                commands=(\(names.joined(separator: " ")) \(quoted("help:show the help")) \(quoted("version:show the version")))
                if ((CURRENT == 2)); then
                    _describe command commands
                    return
                fi
                local command=$words[2]
                if [[ $command == help ]]; then
                    _describe command commands
                    return
                fi
                words=("${(@)words[2,-1]}")
                ((CURRENT--))
                case $command in
            \(cases.joined(separator: "\n"))
                esac
            }
            _\(program.name) "$@"

            """
    }

    private static func fish(_ program: Program) -> String {
        let name = program.name
        var lines = ["# Completions of \(name) for fish."]
        for command in commands(program) {
            lines.append(
                "complete -c \(name) -n __fish_use_subcommand -f -a \(command.name) -d \(fishQuoted(command.summary))")
        }
        lines.append("complete -c \(name) -n __fish_use_subcommand -f -a help -d 'show the help'")
        lines.append("complete -c \(name) -n __fish_use_subcommand -f -a version -d 'show the version'")
        let all = commands(program).map(\.name).joined(separator: " ")
        lines.append("complete -c \(name) -n '__fish_seen_subcommand_from help' -f -a \(fishQuoted(all))")
        for command in commands(program) {
            for option in shown(command) {
                let short = option.short.map { " -s \($0)" } ?? ""
                let value = option.takesValue ? " -r" : ""
                lines.append(
                    "complete -c \(name) -n '__fish_seen_subcommand_from \(command.name)' -l \(option.name)\(short)\(value) "
                        + "-d \(fishQuoted(option.help))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishQuoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
