# bash can load and run its completions; zsh and fish can parse theirs.
"$imsat" help --completion bash > imsat.bash
bash -n imsat.bash
. ./imsat.bash
complete_words() # what is offered for the last of the words
{
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _imsat
    echo "$*: ${COMPREPLY[*]}"
}
touch mine.npy
complete_words imsat ''
complete_words imsat ev
complete_words imsat eval ''
complete_words imsat eval cluster --
complete_words imsat cluster --me
complete_words imsat cluster --method linear
complete_words imsat cluster --preset ''
complete_words imsat cluster --no-
complete_words imsat cluster -k ''
complete_words imsat cluster --epochs ''
complete_words imsat cluster mi
complete_words imsat cluster x -o mi
complete_words imsat data fetch c
complete_words imsat data fetch --
complete_words imsat help --completion ''
for shell in zsh fish; do
    "$imsat" help --completion $shell > imsat.$shell
    if command -v $shell > /dev/null; then $shell -n imsat.$shell; fi
done
