/// Scripts that let a shell complete the command lines of a program. They ask the program what may come next, with the
/// line up to the cursor, and read an `Offer`.
///
/// They ask the program that is found by its name, not the one that is typed: to press Tab after `./potluck` must not run
/// a file that somebody has put there.
package enum Completions: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The command that answers the scripts.
    package static let question = "complete"

    /// The script for this shell.
    package func script(for name: String) -> String {
        let script =
            switch self {
            case .bash: Self.bashScript
            case .zsh: Self.zshScript
            case .fish: Self.fishScript
            }
        return script.replacing("PROGRAM", with: name).replacing("QUESTION", with: Self.question)
    }

    /// bash takes `=` and `:` for the ends of words, so a candidate must not repeat what comes before them. It quotes the
    /// names of files itself, and no other words.
    private static let bashScript = #"""
        # Completions of PROGRAM for bash.
        _PROGRAM() {
            local line=${COMP_LINE:0:COMP_POINT} answer files word help ending before=
            local typed=${line##*[[:space:]]} breaks=${COMP_WORDBREAKS//[^=:]/} file=${COMP_WORDS[COMP_CWORD]}
            [[ -z $breaks ]] || before=${typed%"${typed##*[$breaks]}"}
            [[ $file != [=:] ]] || file=
            COMPREPLY=()
            answer=$(command PROGRAM QUESTION "$line" 2>/dev/null) || return
            {
                read -r files
                while IFS=$'\t' read -r word help; do
                    word=${word#"$before"}
                    [[ $files == words && $file != [\"\']* ]] && printf -v word %q "$word"
                    COMPREPLY+=("$word")
                done
            } <<<"$answer"
            case $files in
                words) [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace ;;
                folders) compopt -o filenames && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$file") ;;
                files) compopt -o filenames && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$file") ;;
                files*)
                    compopt -o filenames
                    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
                        compgen -d -- "$file"
                        for ending in ${files#files }; do compgen -f -X "!*$ending" -- "$file"; done) ;;
            esac
        }
        complete -F _PROGRAM PROGRAM

        """#

    private static let zshScript = #"""
        #compdef PROGRAM
        # Completions of PROGRAM for zsh.
        _PROGRAM() {
            local -a lines texts shown end
            local line tab=$'\t'
            lines=("${(@f)$(command PROGRAM QUESTION "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}")
            for line in "${(@)lines[2,-1]}"; do
                texts+=("${line%%$tab*}")
                shown+=("${line/$tab/  -- }")
            done
            [[ $texts[1] == *= ]] && end=(-S '')
            (($#texts)) && compadd "${(@)end}" -l -d shown -a texts
            compset -P '*='
            case $lines[1] in
                folders) _files -/ ;;
                files) _files ;;
                files*) _files -g "*(${(j:|:)${=lines[1]}[2,-1]})" ;;
            esac
        }
        _PROGRAM "$@"

        """#

    private static let fishScript = #"""
        # Completions of PROGRAM for fish.
        function __PROGRAM_complete
            set -l answer (command PROGRAM QUESTION (commandline -cp | string collect) 2>/dev/null)
            set -l typed (commandline -ct)
            set -l before (string match -r '^.*=' -- $typed)
            set -l file (string replace -r '^.*=' '' -- $typed)
            printf '%s\n' $answer[2..]
            switch "$answer[1]"
                case folders
                    printf "$before%s\n" (__fish_complete_directories $file)
                case files
                    printf "$before%s\n" (__fish_complete_path $file)
                case 'files *'
                    set -l endings (string split ' ' -- $answer[1])[2..]
                    for path in (__fish_complete_path $file)
                        string match -qr "(/|$(string join '|' (string escape --style=regex -- $endings)))(\t|\$)" -- $path
                        and echo "$before$path"
                    end
            end
        end
        complete -c PROGRAM -f -a '(__PROGRAM_complete)'

        """#
}
