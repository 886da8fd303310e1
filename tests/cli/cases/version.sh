"$imsat" --version | head -n 1
# Each library that imsat can do without is named once, as it was built with it or without.
names() { sort | paste -sd' '; }
listed=$(sed -n 's/^IM_FEATURE([A-Z0-9]*, "\([^"]*\)".*/\1/p' "$source/src/core/feature_list.h" | names)
printed=$("$imsat" --version | tail -n +2 | sed 's/^with\(out\)* //' | tr ',' '\n' |
    awk '{ print $1 }' | names)
if [ "$printed" = "$listed" ]; then
    echo 'and its libraries'
else
    echo "listed: $listed, printed: $printed"
fi
