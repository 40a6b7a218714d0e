export const fishScript = String.raw`# rookery in fish: source this file, or put it as rookery.fish into ~/.config/fish/completions.
function __rookery_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l directive 4
    for line in ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        if string match -q -- ':*' $line
            set directive (string sub -s 2 -- $line)
        else
            printf '%s\n' $line
        end
    end
    set -l before ''
    if string match -q -- '-*=*' $current
        set before (string replace -r -- '=.*' '=' $current)
        set current (string replace -r -- '^[^=]*=' '' $current)
    end
    switch $directive
        case 0
            printf "$before%s\n" (__fish_complete_path "$current")
        case 16
            printf "$before%s\n" (__fish_complete_directories "$current" '')
    end
end
complete -c rookery -e
complete -c rookery -f -a '(__rookery_complete)'
`;
