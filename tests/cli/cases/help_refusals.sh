try help clustr
try help cluster cluster
try help --man --markdown
try help --completion tcsh
